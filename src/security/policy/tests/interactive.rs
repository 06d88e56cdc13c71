//! Tests that programs which wait for a terminal are denied, and that calls which the model marks as risky ask.

use super::*;

#[test]
fn a_program_that_waits_for_a_terminal_is_denied_whatever_the_rules_say() {
    let b = bench();
    let everything = policy(vec![layer(Layer::User, &[("bash", &[("*", Allow)])])]);
    for text in [
        "vim notes.txt",
        "nano notes.txt",
        "emacs -nw notes.txt",
        "gdb ./a",
        "python3 -m pdb notes.txt",
        "pdb notes.txt",
        "passwd",
        "su",
        "su - root",
        "screen",
        "tmux",
        "tmux attach",
        "bash",
        "bash -i",
        "bash --norc -i",
        "sh",
        "python",
        "python3",
        "python3.12 -i",
        "python3 -i notes.txt",
        "ipython",
        "perl",
        "node",
        "less notes.txt",
        "git log | less",
        "top",
        "htop",
        "sqlite3 x.db",
        "psql",
        "cd src && vim x",
        "timeout 5 vim notes.txt",
        "sudo -u root bash",
        "env A=1 python3",
        "exec bash",
        "f() { vim; }; f",
        "bash -c 'vim notes.txt'",
        "/usr/bin/vim notes.txt",
        "nohup bash",
    ] {
        let verdict = b.judged(&everything, text);
        assert_eq!(verdict.action, Deny, "{text}");
        assert!(
            matches!(verdict.because, Because::Interactive(_)),
            "{text}: {:?}",
            verdict.because
        );
    }
}

#[test]
fn the_same_programs_with_something_to_do_are_judged_as_ever() {
    let b = bench();
    let policy = policy(Vec::new());
    for text in [
        "vim -es -c wq notes.txt",
        "emacs --batch -l x.el",
        "gdb -batch -ex run ./a",
        "passwd -S",
        "su -c ls",
        "screen -ls",
        "tmux ls",
        "tmux new-session -d -s x",
        "bash notes.txt",
        "bash -c ls",
        "bash -ic ls",
        "echo ls | bash",
        "bash < notes.txt",
        "bash <<< ls",
        "python3 notes.txt",
        "python3 -c 'print(1)'",
        "python3 -m pytest",
        "python3 --version",
        "python3 - <<'E'\nprint(1)\nE",
        "node --test",
        "node -v",
        "php -i",
        "less --version",
        "top -b -n 1",
        "top -bcn1",
        "tmux new -ds x",
        "nvim -l notes.lua",
        "su -lc ls",
        "perl -i -pe 's/a/b/' notes.txt",
        "perl -pi -e 's/a/b/' notes.txt",
        "ruby -i -pe '$_.upcase!' notes.txt",
        "redis-cli -i 1 ping",
        "sqlite3 x.db .tables",
        "psql -c 'select 1'",
        "redis-cli ping",
        "which vim",
        "echo vim",
        "man less",
    ] {
        let verdict = b.judged(&policy, text);
        assert!(!matches!(verdict.because, Because::Interactive(_)), "{text}");
        assert_ne!(verdict.action, Deny, "{text}: {:?}", verdict.because);
    }
}

#[test]
fn what_the_model_calls_risky_asks_and_is_never_milder_for_it() {
    let b = bench();
    let rules = &[(
        "bash",
        &[("*", Ask), ("cargo test *", Allow), ("git push *", Deny)] as &[_],
    )];
    let policy = policy(vec![layer(Layer::User, rules)]);
    let risky = |text: &str| {
        let mut subjects = b.command(text);
        subjects.push(Subject::CalledRisky);
        judge(&policy, "bash", &subjects)
    };
    let asked = risky("cargo test");
    assert_eq!(
        (asked.action, asked.because, asked.scopes),
        (Ask, Because::CalledRisky, Vec::new())
    );
    assert_eq!(risky("ls").action, Ask);
    assert_eq!(risky("git push").action, Deny);
    assert_eq!(risky("vim x").action, Deny);
    let dangerous = risky("rm notes.txt");
    assert_eq!(dangerous.action, Ask);
    assert!(
        dangerous.needs_person && matches!(dangerous.because, Because::Dangerous { .. }),
        "{dangerous:?}"
    );
    assert!(risky("make x").scopes.is_empty());
}
