use super::GitRefusal::{Option, Shell, Unfinished};
use super::{ANYWHERE, add, commit, line};

#[test]
fn new_files_are_staged_by_their_names_and_nothing_beside_them() {
    assert_eq!(add(&[]), "git add -u");
    let new = ["a b.txt", "src/x.rs", "*.rs", "it's", "-f"].map(str::to_owned);
    assert_eq!(
        add(&new),
        "git add -u && git add -- 'a b.txt' src/x.rs ':(literal)*.rs' 'it'\\''s' -f"
    );
}

#[test]
fn words_go_to_git_as_they_were_written() {
    for (written, run) in [
        ("", "git status --short --branch"),
        ("  ", "git status --short --branch"),
        ("log -n 3 --oneline", "git log -n 3 --oneline"),
        ("log -p -S'a b'  src", "git log -p '-Sa b' src"),
        ("diff HEAD~1 -- 'a; b' \"c $d\"", ""),
        (
            "diff HEAD~1 -- 'a; $b' \"c | d\" e\\ f",
            "git diff 'HEAD~1' -- 'a; $b' 'c | d' 'e f'",
        ),
        (r#"commit -m "it's \"so\" \n""#, r#"git commit -m 'it'\''s "so" \n'"#),
        ("commit -m '' -c HEAD", "git commit -m '' -c HEAD"),
        ("switch -c next", "git switch -c next"),
        ("push -u origin next", "git push -u origin next"),
        ("add *.rs ~/x", "git add '*.rs' '~/x'"),
        (
            "--no-pager branch --contains @{u}",
            "git --no-pager branch --contains '@{u}'",
        ),
        ("diff --name-only", "git diff --name-only"),
        ("stash --include-untracked", "git stash --include-untracked"),
        ("--version", "git --version"),
    ] {
        let given = line(written);
        if run.is_empty() {
            assert_eq!(given, Err(Shell("$".to_owned())), "{written}");
        } else {
            assert_eq!(given, Ok(run.to_owned()), "{written}");
        }
    }
}

#[test]
fn what_has_git_take_programs_or_settings_is_refused_in_every_form() {
    for (written, option) in [
        ("-c core.pager=./x log", "-c"),
        ("-ccore.pager=./x log", "-ccore.pager=./x"),
        ("-C /elsewhere log", "-C"),
        ("-C/elsewhere log", "-C/elsewhere"),
        ("-p log", "-p"),
        ("--paginate log", "--paginate"),
        ("--pag log", "--pag"),
        ("--config-env=core.pager=X log", "--config-env=core.pager=X"),
        ("--exec-path=/x log", "--exec-path=/x"),
        ("--exec-path /x log", "--exec-path"),
        ("--git-dir=/x log", "--git-dir=/x"),
        ("--git-dir /x log", "--git-dir"),
        ("--work-tree=/x log", "--work-tree=/x"),
        ("--super-prefix=x/ log", "--super-prefix=x/"),
        ("--namespace=x log", "--namespace=x"),
        ("--bare log", "--bare"),
        ("--no-pager -c a=b log", "-c"),
        ("'-c' a=b log", "-c"),
        ("-\\c a=b log", "-c"),
        ("\"--exec\"-path=/x log", "--exec-path=/x"),
        ("fetch --upload-pack=./x", "--upload-pack=./x"),
        ("fetch --upl ./x", "--upl"),
        ("push --receive-pack ./x", "--receive-pack"),
        ("push --exec=./x", "--exec=./x"),
        ("push --e=./x", "--e=./x"),
        ("push -o -- --exec=./x", "--exec=./x"),
        ("rebase --exec 'rm x' main", "--exec"),
        ("rebase -ix 'rm x' main", "-ix"),
        ("clone -c a=b x", "-c"),
        ("clone -qcprotocol.ext.allow=always x", "-qcprotocol.ext.allow=always"),
        ("clone --conf a=b x", "--conf"),
        ("clone -u ./x y", "-u"),
        ("clone --template=./x y", "--template=./x"),
        ("grep -O./x y", "-O./x"),
        ("grep --open-files=./x y", "--open-files=./x"),
        ("difftool -x ./x", "-x"),
        ("difftool --extcmd=./x", "--extcmd=./x"),
        ("diff --ext-diff", "--ext-diff"),
    ] {
        assert_eq!(line(written), Err(Option(option.to_owned())), "{written}");
    }
    for option in ANYWHERE {
        assert_eq!(line(&format!("log {option}=x")), Err(Option(format!("{option}=x"))));
    }
}

#[test]
fn a_message_is_one_word_whatever_stands_in_it() {
    assert_eq!(
        commit("fix: it's $(rm x)\n\n`y`"),
        "git commit -m 'fix: it'\\''s $(rm x)\n\n`y`'"
    );
    assert_eq!(commit("--amend"), "git commit -m --amend");
}

#[test]
fn what_only_a_shell_understands_is_refused() {
    for (written, sign) in [
        ("log; rm x", ";"),
        ("log | sh", "|"),
        ("log && rm x", "&"),
        ("log $(rm x)", "$"),
        ("log \"$(rm x)\"", "$"),
        ("log `rm x`", "`"),
        ("log \"`rm x`\"", "`"),
        ("log > x", ">"),
        ("log < x", "<"),
        ("log (x)", "("),
        ("log\nrm x", "\\n"),
        ("log 'a\nb'", "\\n"),
        ("log \\\nrm", "\\n"),
        ("log $HOME", "$"),
    ] {
        assert_eq!(line(written), Err(Shell(sign.to_owned())), "{written}");
    }
    for (written, sign) in [("log 'a", "'"), ("log \"a'", "\""), ("log \\", "\\")] {
        assert_eq!(line(written), Err(Unfinished(sign.to_owned())), "{written}");
    }
}
