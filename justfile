# Recipes for https://just.systems. Each runs in the root of the repository.

# List the recipes.
default:
    @just --list

# Format the code.
fmt:
    cargo fmt

# Check format and lints.
check:
    cargo fmt --check
    cargo clippy --all-targets --locked -- -D warnings

# Run all tests. Arguments select tests: just test -E 'test(review)'
[positional-arguments]
test *args:
    cargo nextest run --locked "$@"

# Run the unit tests and the layout checks of tests/it/tidy.rs.
test-fast:
    cargo nextest run --locked --lib
    cargo nextest run --locked --test it -E 'test(/^tidy::/)'

# Write the generated tables in docs/.
docs:
    UPDATE_DOCS=1 cargo nextest run --locked --test it -E 'test(/^tables::/)'

# Take the pictures in docs/pictures from the program.
pictures:
    cargo nextest run --locked --test it --run-ignored only -E 'test(/^pictures::/)'

# Run the benchmarks: just bench, or just bench session
bench *names="session review command_lines":
    for name in {{ names }}; do cargo bench --locked --bench "$name" || exit 1; done

# Measure the program beside the floor programs and write docs/performance.md: just performance, or just performance --quick
[positional-arguments]
performance *args:
    python3 benches/agents/performance.py "$@"

# Measure work of a size and of twice that size, and write docs/growth.md: just growth, or just growth --quick
[positional-arguments]
growth *args:
    python3 benches/agents/growth.py "$@"

# Compare instruction counts of the release binary with benches/instructions.json: just instructions check, or just instructions write
instructions command="check" *scenarios:
    cargo build --locked --release -p benchdog
    python3 benches/instructions.py {{ command }} {{ scenarios }}

# Run the torture tests, all or those whose names contain a word: just torture kills
torture *words:
    cargo bench --locked --bench torture -- {{ words }}

# Make the files of a release in target/packages: just dist, or just dist x86_64-unknown-linux-musl
dist *targets:
    packaging/dist.sh {{ targets }}
