use super::*;

/// Runs keys on a text. In text and result, `|` is the cursor, and `!` at the end means insert mode.
fn after(text: &str, letters: &str) -> String {
    let at = text.find('|').unwrap();
    let mut buffer = Buffer::of(&text.replace('|', ""));
    buffer.go_to(at);
    let mut vim = Vim {
        normal: true,
        ..Vim::default()
    };
    for c in letters.chars() {
        if c == '^' && !vim.is_normal() {
            // In insert mode, `^` stands for Esc.
            vim.escape(&mut buffer);
        } else if !vim.is_normal() {
            buffer.insert(&c.to_string());
        } else {
            vim.key(c, &mut buffer);
        }
    }
    let mut shown = buffer.text().to_owned();
    shown.insert(buffer.caret(), '|');
    if !vim.is_normal() {
        shown.push('!');
    }
    shown
}

#[test]
fn letters_move_the_caret() {
    for (text, letters, wanted) in [
        ("|one two", "w", "one |two"),
        ("|a.b c", "www", "a.b |c"),
        ("one tw|o", "b", "one |two"),
        ("one |two", "b", "|one two"),
        ("|one two", "e", "on|e two"),
        ("on|e two", "e", "one tw|o"),
        ("on|e two", "0", "|one two"),
        ("  on|e", "^", "  |one"),
        ("a|bcdef", "3l", "abcd|ef"),
        ("abc|def", "2h", "a|bcdef"),
        ("|one\ntwo\nthree", "G", "one\ntwo\n|three"),
        ("one\ntwo\n|three", "gg", "|one\ntwo\nthree"),
        ("|one\ntwo\nthree", "2G", "one\n|two\nthree"),
        ("|a(b)c(d)", "f(", "a|(b)c(d)"),
        ("|a(b)c(d)", "2f(", "a(b)c|(d)"),
        ("|a(b)c(d)", "f(;", "a(b)c|(d)"),
        ("|a(b)c(d)", "f(;,", "a|(b)c(d)"),
        ("|a(b)c(d)", "t)", "a(|b)c(d)"),
        ("a(b)c(d|)", "F(", "a(b)c|(d)"),
        ("|漢字 かな", "w", "漢字 |かな"),
        ("|漢字かなカナーab。", "w", "漢字|かなカナーab。"),
        ("|漢字かなカナーab。", "3w", "漢字かなカナー|ab。"),
        ("漢字かなカナーab|。", "bb", "漢字かな|カナーab。"),
        ("|a.b-c d", "W", "a.b-c |d"),
        ("a.b-c |d", "B", "|a.b-c d"),
        ("|a.b-c d", "E", "a.b-|c d"),
        ("|one two", "$", "one tw|o"),
        ("|one two", "9l", "one tw|o"),
        ("one |two", "w", "one tw|o"),
        ("|f(a, [b]) + 1", "%", "f(a, [b]|) + 1"),
        ("f(a, [b]|) + 1", "%", "f|(a, [b]) + 1"),
        ("f(a|, [b]) + 1", "%", "f(a, [b|]) + 1"),
        ("|见（这（里））。", "%", "见（这（里）|）。"),
        ("|no (such", "%", "|no (such"),
        ("|a\nb\n\nc\n\nd", "}", "a\nb\n|\nc\n\nd"),
        ("|a\nb\n\nc\n\nd", "2}", "a\nb\n\nc\n|\nd"),
        ("a\nb\n\nc\n\n|d", "{{", "a\nb\n|\nc\n\nd"),
        ("|one two", "q", "|one two"),
        ("|one", "fz", "|one"),
    ] {
        assert_eq!(after(text, letters), wanted, "{text} {letters}");
    }
}

#[test]
fn operators_take_what_a_motion_or_an_object_covers() {
    for (text, letters, wanted) in [
        ("|one two", "dw", "|two"),
        ("one |two", "dw", "one| "),
        ("|one two three", "2dw", "|three"),
        ("|one two three", "d2w", "|three"),
        ("|a b c d e f g h", "2d3w", "|g h"),
        ("|one\ntwo\nthree\nfour", "d2G", "|three\nfour"),
        ("one |two\nthree", "dw", "one| \nthree"),
        ("|one two", "cw", "| two!"),
        ("|one two", "cwx", "x| two!"),
        ("|one two", "de", "| two"),
        ("one |two", "db", "|two"),
        ("one |two three", "d$", "one| "),
        ("one |two three", "D", "one| "),
        ("one |two three", "C", "one |!"),
        ("one|\n", "D", "on|e\n"),
        ("a|bcd", "x", "a|cd"),
        ("ab|cd", "2x", "a|b"),
        ("abc|d", "x", "ab|c"),
        ("abc|d", "2X", "a|d"),
        ("a|b", "s", "a|!"),
        ("one\n|two\nthree", "dd", "one\n|three"),
        ("one\ntwo\nth|ree", "dd", "one\n|two"),
        ("|one\ntwo\nthree", "2dd", "|three"),
        ("one\n  t|wo\nthree", "cc", "one\n|\nthree!"),
        ("on|e\ntwo\nthree", "dj", "|three"),
        ("one\ntwo\nth|ree", "dk", "|one"),
        ("one\nt|wo\nthree", "dG", "|one"),
        ("one t|wo three", "diw", "one | three"),
        ("one t|wo three", "daw", "one |three"),
        ("say \"he|llo you\" now", "ci\"", "say \"|\" now!"),
        ("say \"he|llo you\" now", "da\"", "say | now"),
        ("f(a, (b|), c)", "di(", "f(a, (|), c)"),
        ("f(a|, (b), c)", "di(", "f(|)"),
        ("f(a|, (b), c)", "da(", "|f"),
        ("{ a: [1, |2] }", "ci]", "{ a: [|] }!"),
        ("|a(b)c d", "d%", "|c d"),
        ("|a.b-c d", "dW", "|d"),
        ("|a.b-c d", "cWx", "x| d!"),
        ("|one two", "$x", "one t|w"),
        ("|a\nb\n\nc", "d}", "|\nc"),
        ("|a(b)c", "dt)", "|)c"),
        ("|a(b)c", "df)", "|c"),
        ("no |brackets", "di(", "no |brackets"),
    ] {
        assert_eq!(after(text, letters), wanted, "{text} {letters}");
    }
}

#[test]
fn what_was_taken_is_put_back_and_changes_are_undone_whole() {
    for (text, letters, wanted) in [
        ("|one two", "dwP", "one| two"),
        ("|one two", "dwp", "tone| wo"),
        ("|ab", "xp", "b|a"),
        ("|ab", "x3p", "baa|a"),
        ("one\n|two\nthree", "ddp", "one\nthree\n|two"),
        ("one\n|two", "ddP", "|two\none"),
        ("o|ne\ntwo", "yyp", "one\n|one\ntwo"),
        ("|one two", "ywP", "one| one two"),
        ("|one two three", "dwdwuu", "|one two three"),
        ("|one two", "dwuU", "|two"),
        ("one|", "p", "one|"),
    ] {
        assert_eq!(after(text, letters), wanted, "{text} {letters}");
    }
}

#[test]
fn letters_become_text_where_one_asks_for_it() {
    for (text, letters, wanted) in [
        ("a|b", "ix", "ax|b!"),
        ("a|b", "ax", "abx|!"),
        ("a|b", "Ax", "abx|!"),
        ("  a|b", "Ix", "  x|ab!"),
        ("a|b\nc", "ox", "ab\nx|\nc!"),
        ("a|b\nc", "Ox", "x|\nab\nc!"),
        ("a|bc", "rx", "a|xc"),
        ("a|bc", "3rx", "a|bc"),
        ("|ab", "~~", "AB|"),
        ("o|ne\n  two", "J", "one| two"),
    ] {
        assert_eq!(after(text, letters), wanted, "{text} {letters}");
    }
}

#[test]
fn any_letters_leave_the_caret_on_a_place_and_a_text_that_undo_brings_back() {
    let letters: Vec<char> = "hjklwbeWBE%{}0^$ggGfxFt;,xXsDCSYJuUpP~dcyiavV\"(w[9漢ZoO"
        .chars()
        .collect();
    let mut random = fastrand::Rng::with_seed(5);
    for round in 0..2_000 {
        let mut buffer = Buffer::of("one (two) \"three\"\n  漢字 e\u{301}x\n\n👨‍👩‍👧 four_five.six\n");
        buffer.forget_undo();
        let begin = buffer.text().to_owned();
        let mut vim = Vim::default();
        vim.escape(&mut buffer);
        for _ in 0..random.usize(1..40) {
            let c = letters[random.usize(0..letters.len())];
            if vim.is_normal() {
                vim.key(c, &mut buffer);
            } else {
                buffer.insert(&c.to_string());
                vim.escape(&mut buffer);
            }
            assert!(buffer.text().is_char_boundary(buffer.caret()), "{round}");
        }
        for _ in 0..200 {
            buffer.undo();
        }
        assert_eq!(buffer.text(), begin, "{round}");
    }
}

#[test]
fn a_point_does_the_last_change_again() {
    for (text, letters, wanted) in [
        ("|one two three", "dw.", "|three"),
        ("|one two three", "xw.", "ne |wo three"),
        ("|a b c d", "dw2.", "|d"),
        ("|one two three", "cwnew^w.", "new ne|w three"),
        ("|one\ntwo", "A!^G.", "one!\ntwo|!"),
        ("|one two", "rXw.", "Xne |Xwo"),
        ("|one two three", "dwu.", "|two three"),
        ("|one", ".", "|one"),
        ("|one two", "yww.", "one |two"),
        ("|abc", "x....", "|"),
    ] {
        assert_eq!(after(text, letters), wanted, "{text} {letters}");
    }
}

#[test]
fn v_selects_both_ends_included_and_what_is_done_takes_all_of_it() {
    for (text, letters, wanted) in [
        ("|one two three", "ved", "| two three"),
        ("|one two three", "vwd", "|wo three"),
        ("one two| three", "vbd", "one |three"),
        ("|one two", "vecnew", "new| two!"),
        ("|one two", "vey$p", "one twoon|e"),
        ("one |two three", "viwd", "one | three"),
        ("|one two", "vlod", "|e two"),
        ("|one two", "vvx", "|ne two"),
        ("|abcdef", "vld.", "|ef"),
        ("|漢字 かな", "vld", "| かな"),
        ("|a(b)c", "vf)d", "|c"),
        ("|one two", "v$d", "|"),
        ("|one two", "dwvep", "one| "),
        ("one |two", "veyvbp", "tw|owo"),
        ("|one two", "veU", "|ONE two"),
        ("|One two", "vw~", "|oNE Two"),
        ("o|ne\ntwo\nthree", "Vjd", "|three"),
        ("o|ne\ntwo\nthree\nfour", "Vd.", "|three\nfour"),
        ("one\nt|wo\nthree", "Vcx", "one\nx|\nthree!"),
        ("one\nt|wo\nthree", "VyP", "one\n|two\ntwo\nthree"),
        ("one\nt|wo\nthree", "VypVp", "one\ntwo\n|two\nthree"),
        ("o|ne\ntwo", "Vvd", "o|e\ntwo"),
        ("o|ne\ntwo", "VVx", "o|e\ntwo"),
    ] {
        assert_eq!(after(text, letters), wanted, "{text} {letters}");
    }
}
