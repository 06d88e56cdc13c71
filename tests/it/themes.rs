//! Tests of themes: by configuration, from the person's files, and in the list with a live preview.

use std::fs;

use vt100::Color;

use crate::support::home::{Home, config};
use crate::support::pty::Pty;
use crate::support::reply::text;
use crate::support::screen::Screen;
use crate::support::server::Server;

const NORD: Color = Color::Rgb(0x2e, 0x34, 0x40);
const DARK: Color = Color::Rgb(0x1a, 0x1c, 0x20);

fn home_with(server: &Server, theme: &str) -> Home {
    let home = Home::bare().env("COLORTERM", "truecolor");
    let mut config = config(&server.base_url());
    config["ui"]["theme"] = theme.into();
    home.configure(&config);
    home
}

fn own_theme(home: &Home, name: &str, text: &str) {
    let folder = home.benchdog_home().join("themes");
    fs::create_dir_all(&folder).expect("a folder of themes");
    fs::write(folder.join(format!("{name}.jsonc")), text).expect("a theme");
}

fn close(list: &Pty) {
    list.keys("esc");
    list.wait_for("the list to close", |screen| !screen.has(" themes "));
}

fn ground(screen: &Screen<'_>) -> Option<Color> {
    screen.cell(5, 60).map(vt100::Cell::bgcolor)
}

#[test]
fn the_picture_follows_the_bar_of_the_list_and_esc_gives_the_old_colours_back() {
    let server = Server::start();
    let home = home_with(&server, "dark");
    let bench = home.bench(&[]);
    bench.wait_for("the dark theme", |screen| ground(screen) == Some(DARK));
    bench.ask("/theme");
    bench.wait_for_text("graphite and brass");
    bench.type_text("nord");
    bench.wait_for("the colours of the row under the bar", |screen| {
        ground(screen) == Some(NORD)
    });
    bench.keys("esc");
    bench.wait_for("the old colours", |screen| {
        ground(screen) == Some(DARK) && !screen.has(" themes ")
    });
    bench.ask("/theme nord");
    bench.wait_for("the theme that was named", |screen| {
        ground(screen) == Some(NORD) && screen.has("until you quit")
    });
    bench.ask("/theme nrod");
    bench.wait_for_text("Did you mean `nord`?");
    bench.leave();
}

#[test]
fn a_theme_of_ones_own_is_read_from_the_configuration_folder_and_from_no_project() {
    let server = Server::start();
    let home = home_with(&server, "mine");
    let text = r##"{"inherits": "dark", "palette": {"ground": "#010203"}}"##;
    for folder in ["themes", ".benchdog/themes"] {
        home.file(&format!("{folder}/mine.jsonc"), text);
    }
    home.run(&["config", "check"]).assert_code(2);
    own_theme(&home, "mine", text);
    home.run(&["config", "check"]).assert_code(0);
    let bench = home.bench(&[]);
    bench.wait_for("its own ground", |screen| ground(screen) == Some(Color::Rgb(1, 2, 3)));
    bench.ask("/theme");
    bench.type_text("mine");
    bench.wait_for_text("● mine");
    bench.wait_for_text("your own");
    close(&bench);
    bench.leave();
}

/// Checks that `config check` fails, and that other commands continue with a notice.
fn assert_told(home: &Home, server: &Server, told: &[&str]) {
    let is_told = |text: &str| told.iter().all(|part| text.contains(part));
    let check = home.run(&["config", "check"]);
    check.assert_code(2);
    assert!(
        is_told(&check.stdout) && !check.stdout.contains("no errors"),
        "{told:?}\n{check}"
    );
    let remark = "Using theme `auto` instead of `grovbox-dark`: ";
    let show = home.run(&["config", "show"]);
    show.assert_code(0);
    assert!(
        is_told(&show.stderr) && show.stderr.contains(remark),
        "{told:?}\n{show}"
    );
    server.script([text("One."), text("Two.")]);
    for run in [
        home.run(&["run", "hello"]),
        home.run_with_input(&["--linear"], "hello\n"),
    ] {
        run.assert_code(0);
    }
    let bench = home.bench(&[]);
    bench.wait_for("the default theme, and why", |screen| {
        let below = screen.cell(25, 60).map(vt100::Cell::bgcolor);
        below == Some(DARK) && screen.has("Using theme") && screen.has("grovbox-dark")
    });
    let remarks = |screen: &Screen<'_>| screen.rows().iter().filter(|row| row.contains("Using theme")).count();
    assert_eq!(bench.look(remarks), 1);
    bench.leave();
}

#[test]
fn a_theme_nobody_has_and_one_that_is_wrong_are_errors_of_the_check_and_keep_nothing_from_starting() {
    let server = Server::start();
    let home = home_with(&server, "grovbox-dark").window(120, 40);
    let nobody = "there is no theme `grovbox-dark`; did you mean `gruvbox-dark`?";
    assert_told(&home, &server, &[nobody, "config.json"]);
    let wrong = "{\n  \"inherits\": \"dark\",\n  \"scopes\": { \"text.link\": \"accnt\" }\n}";
    own_theme(&home, "grovbox-dark", wrong);
    let told = [
        "did you mean `accent`?",
        "grovbox-dark.jsonc:3:28",
        "`accnt` is no colour",
    ];
    assert_told(&home, &server, &told);
}

#[test]
fn all_that_is_wrong_with_a_theme_is_told_at_once() {
    let server = Server::start();
    let home = home_with(&server, "dark").window(120, 40);
    let wrong = "{\n  \"inherits\": \"dark\",\n  \"scopes\": {\n    \"text.acent\": \"red\",\n    \"text.link\": \"accnt\"\n  }\n}";
    own_theme(&home, "mine", wrong);
    let bench = home.bench(&[]);
    bench.ask("/theme mine");
    bench.wait_for("both, each with its place", |screen| {
        screen.has("mine.jsonc:4:5:") && screen.has("mine.jsonc:5:18:")
    });
    bench.leave();
}

#[test]
fn with_few_colours_or_none_a_theme_with_many_shows_as_one_for_them() {
    let server = Server::start();
    for (name, value, told) in [
        ("NO_COLOR", "1", "No colours here"),
        ("TERM", "linux", "Only 16 colours"),
    ] {
        let home = Home::bare().env(name, value);
        let mut config = config(&server.base_url());
        config["ui"]["theme"] = "nord".into();
        home.configure(&config);
        let bench = home.bench(&[]);
        bench.ask("/theme");
        bench.wait_for_text(told);
        let coloured = bench.look(|screen| {
            let cells = (0..40).flat_map(|row| (0..120).filter_map(move |column| screen.cell(row, column)));
            let rgb = |colour| matches!(colour, Color::Rgb(..));
            cells.filter(|cell| rgb(cell.bgcolor()) || rgb(cell.fgcolor())).count()
        });
        assert_eq!(coloured, 0, "{name}");
        close(&bench);
        bench.leave();
    }
}
