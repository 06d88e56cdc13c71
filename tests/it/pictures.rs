//! Creates the screenshots in the documentation with the real program. `cargo test --test it pictures -- --ignored`
//! writes `docs/pictures` and the text screenshots in `docs/screens.md`.

mod svg;

use serde_json::json;
use unicode_width::UnicodeWidthStr;

use crate::support::bench::draft_of;
use crate::support::home::{Home, config};
use crate::support::pty::Pty;
use crate::support::reply::{Gate, Reply, call, calls, never, stream, text};
use crate::support::server::Server;

const WIDE: (u16, u16) = (150, 38);
const SMALL: (u16, u16) = (80, 24);
/// Wide enough for the side panes, but not wider than a page.
const TOUR: (u16, u16) = (100, 30);

/// A small project, and the model server for its workbench.
struct Stage {
    server: Server,
    home: Home,
    size: (u16, u16),
}

impl Stage {
    fn new(size: (u16, u16), locale: &str) -> Self {
        let server = Server::start();
        let home = Home::bare()
            .window(size.0, size.1)
            .env("COLORTERM", "truecolor")
            .env("LC_ALL", locale);
        // With this home, the title shows the folder relative to `~`.
        let above = home
            .project()
            .parent()
            .map(|above| above.to_string_lossy().into_owned());
        let home = home.env("HOME", above.as_deref().unwrap_or_default());
        let settings = config(&server.base_url()).to_string();
        home.configure_text(&settings.replace("kit-model", "qwen3-coder-30b").replace("kit", "vllm"));
        for (path, content) in PROJECT {
            home.file(path, content);
        }
        Self { server, home, size }
    }

    fn plays(self, replies: impl IntoIterator<Item = Reply>) -> Self {
        self.server.script(replies);
        self
    }

    /// Waits until the screen no longer changes, and saves it as an SVG file.
    fn takes(&self, bench: &Pty, name: &str) {
        bench.written_in(std::time::Duration::from_millis(600), std::time::Duration::ZERO);
        let picture = bench.look(|screen| svg::svg(screen, self.size.0, self.size.1));
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/pictures");
        std::fs::create_dir_all(folder).expect("a folder of the book");
        std::fs::write(format!("{folder}/{name}.svg"), picture).expect("a picture of the book");
    }

    /// Writes the screen as text to the section `name` of `docs/screens.md`. Each label is a text on the screen. Its
    /// number in the list is added at the end of the text's row.
    fn labels(&self, bench: &Pty, name: &str, labels: &[&str]) {
        bench.written_in(std::time::Duration::from_millis(600), std::time::Duration::ZERO);
        let picture = bench.look(|screen| {
            let mut rows = screen.rows();
            let mut numbers = vec![String::new(); rows.len()];
            for (number, label) in (1..).zip(labels) {
                let found = rows.iter().position(|row| row.contains(label));
                let at = found.unwrap_or_else(|| panic!("no {label:?} to label in:\n{}", screen.text()));
                numbers[at].push_str(&format!(" ({number})"));
            }
            for (row, numbers) in rows.iter_mut().zip(numbers).filter(|(_, numbers)| !numbers.is_empty()) {
                let padding = usize::from(self.size.0).saturating_sub(UnicodeWidthStr::width(row.as_str()));
                row.push_str(&format!("{} ←{numbers}", " ".repeat(padding)));
            }
            rows.join("\n")
        });
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/screens.md");
        let book = std::fs::read_to_string(path).expect("the page of pictures");
        let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->"));
        let (above, rest) = book.split_once(&begin).expect("the mark above the picture");
        let (_, below) = rest.split_once(&end).expect("the mark below the picture");
        let page = format!("{above}{begin}```text\n{picture}\n```\n{end}{below}");
        std::fs::write(path, page).expect("the page of pictures");
    }
}

const PROJECT: &[(&str, &str)] = &[
    ("README.md", "# invoices\n\nSums and prints invoices.\n"),
    ("src/money.py", MONEY),
    (
        "src/invoice.py",
        "from money import Money\n\n\ndef total(lines):\n    return sum((line.price for line in lines), Money(0))\n",
    ),
    (
        "tests/test_money.py",
        "from money import Money\n\n\ndef test_sum():\n    assert Money(110) + Money(225) == Money(335)\n",
    ),
    ("build/old-1.log", "1\n"),
    ("build/old-2.log", "2\n"),
];

const MONEY: &str = r#"from dataclasses import dataclass


@dataclass(frozen=True)
class Money:
    """An amount in the smallest unit of its currency."""

    amount: float
    currency: str = "EUR"

    def __add__(self, other):
        return Money(self.amount + other.amount, self.currency)

    def __str__(self):
        return "%.2f %s" % (self.amount / 100, self.currency)


def parse(text):
    """`12.34 EUR` as money."""
    number, currency = text.split(" ")
    return Money(float(number) * 100, currency)
"#;

/// Returns the change that most screenshots show.
fn proposal() -> Reply {
    let edits = json!([
        {"old": "    amount: float\n", "new": "    amount: int\n"},
        {
            "old": "    def __add__(self, other):\n        return",
            "new": "    def __add__(self, other: \"Money\") -> \"Money\":\n        if self.currency != other.currency:\n            raise ValueError(f\"{self.currency} and {other.currency} cannot be added\")\n        return",
        },
        {
            "old": "    return Money(float(number) * 100, currency)\n",
            "new": "    whole, _, cents = number.partition(\".\")\n    return Money(int(whole) * 100 + int(cents.ljust(2, \"0\")[:2]), currency)\n",
        },
    ]);
    stream()
        .says("Floats lose cents: `0.1 + 0.2` is not `0.3`. I keep amounts as whole cents, and refuse to add two currencies.")
        .calls("edit", json!({"path": "src/money.py", "edits": edits}))
        .ends()
}

#[test]
#[ignore = "writes the pictures of the book"]
fn of_the_tour() {
    let gate = Gate::new();
    let stage = Stage::new(TOUR, "C.UTF-8").plays([
        calls([
            (
                "todowrite",
                json!({"items": [
                    {"id": "1", "text": "Read money.py", "status": "completed"},
                    {"id": "2", "text": "Keep whole cents", "status": "in_progress"},
                    {"id": "3", "text": "Run the tests", "status": "pending"},
                ]}),
            ),
            ("read", json!({"path": "src/money.py"})),
        ]),
        proposal(),
        call("bash", json!({"command": "rm -r build"})),
        stream()
            .says("Amounts are whole ")
            .holds(&gate)
            .says("cents now.")
            .ends(),
    ]);
    let bench = stage.home.bench(&[]);
    bench.wait_for_text("Describe a task");
    let welcome = ["Describe a task", "Run the tests", "Alt+A", "› ask", " PROMPT "];
    stage.labels(&bench, "start", &welcome);
    bench.ask("amounts lose cents, fix that");
    bench.wait_for_review("amount: int");
    let waits = [
        "waiting for you",
        "┌ edit",
        "amount: float",
        "[x] hunk 1",
        "Alt+A or F2",
        " PROMPT ",
    ];
    stage.labels(&bench, "request", &waits);
    bench.enter_review();
    stage.labels(&bench, "review", &[" y allow", " REVIEW "]);
    bench.keys("y");
    bench.wait_for_review("rm -r build");
    bench.enter_review();
    stage.labels(
        &bench,
        "removal",
        &["┌ bash", "│ rm -r build", "removes   build", "y allow once"],
    );
    bench.keys("y");
    bench.wait_for_text("Amounts are whole");
    bench.keys("esc");
    bench.wait_for_text(" PROMPT ");
    let work = [
        " you",
        "✓ read",
        "Amounts are whole",
        "todo",
        "context",
        "changes",
        "Esc stop",
    ];
    stage.labels(&bench, "work", &work);
    gate.open();
}

#[test]
#[ignore = "writes the pictures of the book"]
fn of_a_review_in_both_sizes_and_of_what_always_would_allow() {
    for (size, name) in [(WIDE, "review-wide"), (SMALL, "review-small")] {
        let stage = Stage::new(size, "C.UTF-8").plays([proposal(), text("Done.")]);
        let bench = stage.home.bench(&[]);
        bench.ask("amounts lose cents, fix that");
        bench.wait_for_review("amount: int");
        bench.enter_review();
        stage.takes(&bench, name);
        if size == WIDE {
            bench.keys("a");
            bench.wait_for_text("Allow this without asking");
            stage.takes(&bench, "always");
        }
    }
}

#[test]
#[ignore = "writes the pictures of the book"]
fn of_a_turn_at_work() {
    let gate = Gate::new();
    let stage = Stage::new(WIDE, "C.UTF-8").plays([
        calls([
            ("todowrite", json!({"items": [
                {"id": "1", "text": "Read how money is kept", "status": "completed"},
                {"id": "2", "text": "Keep whole cents", "status": "in_progress"},
                {"id": "3", "text": "Run the tests", "status": "pending"},
            ]})),
            ("read", json!({"path": "src/money.py"})),
            ("grep", json!({"pattern": "Money\\("})),
        ]),
        stream()
            .says("Amounts are floats:\n\n```python\n>>> 0.1 + 0.2\n0.30000000000000004\n```\n\n| where | keeps | should keep |\n|---|---|---|\n| `Money.amount` | `float` | whole cents |\n| `parse` | `float * 100` | two parts of the text |\n\nI begin with ")
            .holds(&gate)
            .says("`money.py`.")
            .ends(),
    ]);
    let bench = stage.home.bench(&[]);
    bench.ask("amounts lose cents, fix that");
    bench.wait_for_text("I begin with");
    bench.type_text("and look at the invoices, too");
    bench.wait_for("the draft", |screen| draft_of(screen).contains("too"));
    stage.takes(&bench, "work");
    gate.open();
}

#[test]
#[ignore = "writes the pictures of the book"]
fn of_a_command_that_removes_and_of_the_palette() {
    let stage = Stage::new(SMALL, "C.UTF-8").plays([
        call(
            "bash",
            json!({"command": "find build -name '*.log' && rm -r build/old-*.log"}),
        ),
        never(),
    ]);
    let bench = stage.home.bench(&[]);
    bench.ask("clean up the build folder");
    bench.wait_for_review("rm -r");
    bench.enter_review();
    stage.takes(&bench, "command");
    bench.refuse("rm -r");
    bench.keys("ctrl-p");
    bench.wait_for_text("all commands");
    stage.takes(&bench, "palette");
}

#[test]
#[ignore = "writes the pictures of the book"]
fn of_what_a_session_changed_and_of_the_bench_in_japanese() {
    let stage = Stage::new(WIDE, "C.UTF-8").plays([proposal(), text("Amounts are whole cents now.")]);
    let bench = stage.home.bench(&[]);
    bench.ask("amounts lose cents, fix that");
    bench.accept("cannot be added");
    bench.wait_for_text("whole cents now");
    bench.ask("/diff session");
    bench.wait_for_text("partition");
    stage.takes(&bench, "changes");
    let stage = Stage::new(SMALL, "ja_JP.UTF-8").plays([proposal(), text("直しました。")]);
    let bench = stage.home.bench(&[]);
    bench.wait_for_text("入力するか");
    bench.ask("金額の端数が消えます。直してください");
    bench.wait_for_review("amount: int");
    bench.keys("alt-a");
    stage.takes(&bench, "japanese");
}
