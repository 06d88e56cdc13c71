//! Tests that the workbench uses the person's language, or else English.

use std::process::Command;

use serde_json::json;

use crate::support::home::{Home, config};
use crate::support::reply::{call, text};
use crate::support::server::Server;

fn is_cjk(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
}

#[test]
fn a_person_is_spoken_to_in_their_language_and_the_model_in_english() {
    for (locale, prompt, deny) in [
        ("zh_CN.UTF-8", "输入任务", "拒绝"),
        ("ja_JP.UTF-8", "入力するか", "拒否"),
        ("ko_KR.UTF-8", "입력하거나", "거부"),
    ] {
        let server = Server::start();
        let home = Home::with(&server).env("LC_ALL", locale);
        home.file("a.txt", "one\n");
        server.script([
            call("read", json!({"path": "a.txt"})),
            call(
                "edit",
                json!({"path": "a.txt", "edits": [{"old": "one", "new": "two"}]}),
            ),
            call("bash", json!({"command": "rm a.txt"})),
            text("Noted."),
        ]);
        let bench = home.bench(&[]);
        bench.wait_for_text(prompt);
        bench.ask("change it");
        for (shown, answer) in [("two", "y"), ("rm a.txt", "n")] {
            bench.wait_for("the proposal", |screen| screen.has(shown) && screen.has("◆"));
            bench.keys("alt-a");
            bench.wait_for("the letters to count", |screen| {
                let letter = screen.find(&format!("n {deny}"));
                letter
                    .and_then(|(row, column)| screen.cell(row, column))
                    .is_some_and(|cell| cell.bold())
            });
            bench.keys(answer);
        }
        bench.wait_for_text("Noted.");
        for number in 1..=4 {
            let request = server.request(number);
            assert!(!request.raw.contains(is_cjk), "{locale}: {}", request.raw);
        }
        bench.leave();
        // Output for scripts is the same in every language.
        let run = home.run(&["run", "--output", "json", "--model", "nowhere/none", "hello"]);
        assert!(!run.stdout.contains(is_cjk), "{run}");
    }
}

#[test]
fn a_silent_server_is_reported_in_the_language_of_the_person() {
    for (locale, said) in [
        ("zh_CN.UTF-8", "无法连接 `http://127.0.0.1:1/"),
        ("ja_JP.UTF-8", "に接続できません"),
        ("ko_KR.UTF-8", "에 연결할 수 없습니다"),
    ] {
        let home = Home::bare().env("LC_ALL", locale);
        home.configure(&config("http://127.0.0.1:1/v1"));
        let bench = home.bench(&[]);
        bench.ask("hello");
        bench.wait_for_text(said);
        assert!(bench.look(|screen| !screen.has("refused")));
    }
}

#[test]
fn the_configuration_decides_before_the_system() {
    let server = Server::start();
    let home = Home::with(&server).env("LC_ALL", "ja_JP.UTF-8");
    let mut config = crate::support::home::config(&server.base_url());
    config["ui"] = json!({"language": "en"});
    home.configure(&config);
    let bench = home.bench(&[]);
    bench.wait_for_text("ask, or Ctrl+P");
    bench.leave();
}

#[test]
fn the_palette_names_what_it_does_in_the_language_and_finds_it_in_english_too() {
    let server = Server::start();
    let home = Home::with(&server).env("LC_ALL", "ja_JP.UTF-8").window(120, 100);
    let bench = home.bench(&[]);
    bench.wait_for_text("入力するか");
    bench.keys("ctrl-p");
    bench.wait_for_text("$EDITOR でプロンプトを編集");
    bench.type_text("theme");
    bench.wait_for("what it is called in English, too, and no noise", |screen| {
        screen.has("テーマを選ぶ") && !screen.has("モデルを選ぶ")
    });
    bench.keys("esc");
    bench.wait_for("the prompt", |screen| !screen.has("テーマを選ぶ"));
    bench.keys("f1");
    bench.wait_for_text("すべてのコマンド");
    bench.keys("esc");
    bench.wait_for("the prompt", |screen| !screen.has("すべてのコマンド"));
    bench.leave();
}

#[test]
fn the_sides_of_a_conflict_are_named_in_the_language_of_the_person_and_stand_below_each_other() {
    for (locale, [before, here, there], no_lines) in [
        ("zh_CN.UTF-8", ["之前", "这里", "那边"], "（没有这样的行）"),
        ("ja_JP.UTF-8", ["以前  ", "こちら", "あちら"], "（該当する行なし）"),
        ("ko_KR.UTF-8", ["이전", "여기", "저쪽"], "(그런 줄 없음)"),
    ] {
        let server = Server::start();
        let home = Home::with(&server).env("LC_ALL", locale).window(160, 45);
        home.file("a.txt", "one\n");
        for git in [
            "init -q -b main",
            "add a.txt",
            "-c user.name=t -c user.email=t@example.org commit -qm words",
        ] {
            let git = Command::new("git")
                .args(git.split(' '))
                .current_dir(home.project())
                .status();
            assert!(git.expect("git").success());
        }
        let bench = home.bench(&[]);
        bench.ask("/worktree one");
        bench.wait_for_text("benchdog/one");
        let kept = home.benchdog_home().join("data/worktrees");
        let mut repositories = std::fs::read_dir(kept).expect("the folder of worktrees").flatten();
        let changed = repositories.next().expect("a repository").path().join("one/a.txt");
        std::fs::write(changed, "over there\n").expect("a change there");
        home.file("a.txt", "");
        bench.ask("/merge one");
        let rows = [
            format!("{before} | one"),
            format!("{here} | {no_lines}"),
            format!("{there} | over there"),
        ];
        bench.wait_for("the three sides", |screen| rows.iter().all(|row| screen.has(row)));
        bench.leave();
    }
}
