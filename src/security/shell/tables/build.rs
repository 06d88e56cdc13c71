//! Build tools, test runners, linters: they run the project's code.

use super::{danger, external, plain, project, reads, tells, unknown};
use crate::shell::grammar::{Code, Spec, Style};

const CARGO_BUILD: &str = "q,quiet v,verbose vv offline locked frozen color=T message-format=T \
        j,jobs=T keep-going \
        p,package=T workspace all exclude=T lib bin?T bin=T bins example=T examples test=T tests bench=T \
        benches all-targets r,release profile=T features=T F=T all-features no-default-features target=T \
        target-dir=T~ manifest-path=R no-run no-fail-fast doc timings?T unit-graph~ \
        future-incompat-report ignore-rust-version h,help";

const CARGO_MORE: &str = "e,edges=T i,invert=T d,duplicates depth=T prefix=T charset=T f,format=T \
        no-deps format-version=T \
        filter-platform=T open~ document-private-items check all-features no-dedupe l,list E=T \
        filterset=T";

const CARGO: &[&str] = &[CARGO_BUILD, CARGO_MORE];

const REGISTRY: &[&str] = &[
    CARGO_BUILD,
    CARGO_MORE,
    "n,dry-run allow-dirty no-verify registry=T git=T branch=T tag=T rev=T path=M vers=T version=T \
        force D,dev build optional rename=T precise=T recursive limit=T",
];

const RUNNER: &[&str] = &[
    "v,verbose q,quiet x,exitfirst k=T m=T s l maxfail=T tb=T lf,last-failed ff,failed-first n=T \
        durations=T r=T co,collect-only collect-only no-header cov?T cov-report=T cov-fail-under=T \
        color=T p=T~ vv vvv rootdir=T ignore=T sw,stepwise h,help version strict-markers no-cov",
];

const JS: &[&str] = &[
    "noEmit p=R project=R watch w write strict skipLibCheck incremental pretty b,build listFiles \
        traceResolution ext=T max-warnings=T f,format=T quiet cache no-cache ignore-path=R c,config=R~ \
        check c l,list-different ignore-unknown log-level=T run reporter=T coverage t=T \
        testNamePattern=T testPathPattern=T bail?T runInBand i ci silent verbose passWithNoTests \
        maxWorkers=T updateSnapshot~ u~ h,help v,version color no-color related",
];

pub(super) const ROWS: &[Spec] = &[
    unknown("cargo", "runs cargo")
        .takes(
            &["q,quiet v,verbose vv V,version h,help list offline locked frozen color=T config=T~ Z=T~ C=O~"],
            "T",
        )
        .style(Style::Posix)
        .code(Code::Verbs),
    project(
        "cargo build,cargo b,cargo check,cargo c,cargo test,cargo t,cargo bench,cargo run,cargo r,cargo \
        doc,cargo d,cargo nextest run,cargo nextest list",
        CARGO,
        "T",
    ),
    project("cargo clippy,", CARGO, "T").code(Code::Make),
    unknown("cargo nextest,cargo miri", "runs cargo")
        .takes(&["q,quiet v,verbose"], "T")
        .style(Style::Posix)
        .code(Code::Verbs),
    tells(
        "cargo tree,cargo metadata,cargo locate-project,cargo pkgid,cargo version,cargo verify-project,\
        cargo read-manifest",
        "tells about the project",
        CARGO,
        "T",
    ),
    plain(
        "cargo fmt,",
        "formats the project",
        &["check all v,verbose q,quiet p,package=T manifest-path=R"],
        "T",
    )
    .code(Code::Formatter),
    plain(
        "cargo new,cargo init",
        "makes a project",
        &["lib bin name=T edition=T vcs=T q"],
        "E",
    ),
    external(
        "cargo update,cargo fetch,cargo add,cargo install,cargo publish,cargo search,cargo login,\
        cargo owner,cargo audit,cargo deny,cargo outdated,cargo info,cargo vendor,\
        cargo generate-lockfile",
        "asks a registry",
        REGISTRY,
        "T",
    ),
    danger(
        "cargo clean,cargo uninstall,cargo yank,cargo remove,cargo rm",
        "removes something",
    ),
    unknown("rustup", "changes the toolchain")
        .takes(&["V,version h,help v q"], "T")
        .style(Style::Posix)
        .code(Code::Verbs),
    tells("rustup show,rustup which", "tells about the toolchain", &["v"], "T"),
    unknown("rustup toolchain,", "changes the toolchain")
        .takes(&[], "T")
        .style(Style::Posix)
        .code(Code::Verbs),
    reads(
        "rustup toolchain list,",
        "tells about the toolchain",
        &["v,verbose q,quiet"],
        "",
    ),
    project(
        "make gmake bmake",
        &[
            "n,just-print,dry-run,recon k,keep-going s,silent,quiet B,always-make j?T i,ignore-errors \
        w,print-directory no-print-directory q,question t~ d p,print-data-base r,no-builtin-rules R V=T \
        C,directory=M f,file,makefile=R v,version h,help l?T O,output-sync?T trace \
        e,environment-overrides~ eval=T~ E=T~ I,include-dir=T~ o=T W=T",
        ],
        "T",
    )
    .code(Code::Make),
    project("ninja", &["C=M j=T k=T v n d=T t=T~ f=R quiet version"], "T").code(Code::Make),
    project(
        "cmake",
        &[
            "S=M B=O G=T D=T~ build=M target=T j,parallel?T config=T clean-first~ v,verbose preset=T version \
        help list-presets?T L A=T",
        ],
        "M",
    )
    .code(Code::Make),
    project(
        "ctest",
        &[
            "test-dir=M output-on-failure R,tests-regex=T E,exclude-regex=T L=T j,parallel?T V,verbose \
        N,show-only VV rerun-failed timeout=T C,build-config=T Q,quiet stop-on-failure",
        ],
        "T",
    )
    .style(Style::Gnu),
    project("meson", &["C=M v version suite=T"], "T").code(Code::Make),
    project(
        "python-unittest",
        &[
            "v,verbose q,quiet f,failfast b,buffer k=T s,start-directory=M p,pattern=T \
        t,top-level-directory=M locals durations=T",
        ],
        "T",
    )
    .code(Code::Make),
    project(
        "gradlew gradle",
        &[
            "tests=T q,quiet i,info s,stacktrace x,exclude-task=T offline no-daemon parallel daemon continue \
        p,project-dir=M console=T scan~ rerun-tasks build-cache no-build-cache info stacktrace \
        warning-mode=T m,dry-run",
        ],
        "T",
    )
    .code(Code::Make),
    project(
        "mvnw mvn mvnd",
        &["q,quiet B,batch-mode o,offline pl=T p=T am D=T T=T X,debug e,errors U v,version ntp f=R P=T"],
        "T",
    )
    .code(Code::Make),
    project(
        "ant rake just task invoke inv",
        &["v,verbose q,quiet T tasks l,list version"],
        "T",
    )
    .code(Code::Make),
    project(
        "sbt mix lein stack cabal dune rebar3 hatch lerna nx turbo",
        &["v,verbose q,quiet version"],
        "T",
    )
    .code(Code::Make),
    project(
        "tox nox",
        &["e=T s=T l,list p,parallel q,quiet v,verbose r,recreate"],
        "T",
    )
    .code(Code::Make),
    project("pytest py.test", RUNNER, "T").code(Code::Make),
    project(
        "tsc jest vitest mocha ava eslint stylelint playwright cypress karma nyc webpack rollup esbuild vite",
        JS,
        "T",
    )
    .code(Code::Make),
    project(
        "prettier biome",
        &["c,check w,write l,list-different ignore-path=R ignore-unknown log-level=T no-cache color no-color"],
        "T",
    )
    .code(Code::Make),
    project(
        "mypy pyright flake8 pylint pyflakes bandit ruff black isort yapf autopep8 pre-commit",
        &[
            "check q,quiet v,verbose strict diff line-length=T select=T ignore=T show-error-codes \
        ignore-missing-imports max-line-length=T p=T m=T format=T output-format=T statistics count c \
        check-only version config-file=R exit-zero l=T a,all-files explicit-package-bases no-cache \
        target-version=T",
        ],
        "T",
    )
    .code(Code::Make),
    project(
        "rspec rubocop phpunit pest phpstan swiftlint hadolint yamllint golangci-lint \
        staticcheck govulncheck cppcheck luacheck actionlint vale codespell",
        &[
            "f,format=T q v,verbose s,severity=T shell=T x,external-sources e,exclude=T filter=T testdox c=R~ \
        S=T n d=T memory-limit=T level=T enable=T std=T",
        ],
        "T",
    )
    .code(Code::Make),
    reads(
        "shellcheck",
        "looks for mistakes in scripts",
        &[
            "a,check-sourced e,exclude=T f,format=T i,include=T norc o,enable=T s,shell=T \
        S,severity=T V,version",
        ],
        "R",
    ),
    unknown("go", "runs go")
        .takes(&[], "T")
        .style(Style::Posix)
        .code(Code::Verbs),
    project(
        "go build,go test,go vet,go run,go generate,go fmt",
        &[
            "v race run=T count=T short cover timeout=T bench=T benchmem p=T tags=T ldflags=T~ x n a failfast \
        json parallel=T cpu=T list=T mod=T trimpath gcflags=T~ coverprofile=W o=W C=M coverpkg=T \
        covermode=T shuffle=T vet=T benchtime=T",
        ],
        "T",
    )
    .style(Style::Single),
    tells("go env,", "tells about Go", &["json w~ u~ changed"], "T").style(Style::Single),
    tells(
        "go version,go list,go doc",
        "tells about the project",
        &["m json f=T e deps u test v all src"],
        "T",
    )
    .style(Style::Single),
    external("go get,go install,go mod", "asks a registry", &["u v d json"], "T").style(Style::Single),
    unknown("gofmt goimports rustfmt clang-format", "formats files")
        .takes(&["d l e s check l~ emit=T edition=T q v w i"], "R")
        .style(Style::Single)
        .code(Code::Formatter),
    unknown("dotnet", "runs dotnet")
        .takes(&["info version list-sdks list-runtimes"], "T")
        .style(Style::Posix)
        .code(Code::Verbs),
    project(
        "dotnet build,dotnet test,dotnet run,dotnet format",
        &[
            "c,configuration=T v,verbosity=T no-restore no-build nologo filter=T f,framework=T o=O \
        logger=T project=M",
        ],
        "T",
    ),
    unknown("swift zig", "runs the project")
        .takes(&["version"], "T")
        .style(Style::Posix)
        .code(Code::Verbs),
    project(
        "swift build,swift test,swift run,zig build,zig test",
        &["c=T v filter=T parallel summary=T"],
        "T",
    )
    .code(Code::Make),
    project(
        "gcc g++ cc c++ clang clang++",
        &[
            "c S E v o=W O?T g?T W?T w std=T I=T L=T l=T D=T U=T f?T m?T x=T M MM MD MMD MP MF=W \
        MT=T MQ=T pedantic \
        pedantic-errors shared static static-libgcc static-libstdc++ pthread pipe rdynamic nostdlib s ansi \
        include=R isystem=T iquote=T version help",
        ],
        "R",
    )
    .style(Style::Glued)
    .code(Code::Make),
    project(
        "rustc as ld",
        &[
            "c v o=W O?T g?T w I=T L=T l=T C=T~ s V,version help edition=T crate-type=T crate-name=T emit=T~ \
        out-dir=O test cfg=T target=T",
        ],
        "R",
    )
    .code(Code::Make),
    project(
        "javac",
        &["d=O cp=T classpath=T g nowarn verbose version help encoding=T source=T target=T release=T Werror"],
        "R",
    )
    .style(Style::Single)
    .code(Code::Make),
    unknown(
        "bundle poetry pipenv uv rye conda mamba micromamba nix nix-shell nix-build asdf mise rbenv pyenv \
        nvm volta fnm sdk",
        "runs a command with the project's packages",
    )
    .takes(
        &["q,quiet v,verbose V,version n,no-interaction offline frozen locked no-sync with=T~ python=T h,help"],
        "T",
    )
    .style(Style::Posix)
    .code(Code::Verbs),
    project(
        "uv run,poetry run,pipenv run,bundle exec,pdm run,rye run,hatch run,conda run,rbenv exec,\
        pyenv exec,mise exec,asdf exec,nix develop,direnv exec,rustup run",
        &["q,quiet v,verbose frozen locked offline no-sync n,name=T group=T dev"],
        "C",
    )
    .style(Style::Posix)
    .code(Code::Wrapper),
    external(
        "uv sync,uv add,uv lock,uv pip,uv remove,uv tool,uv venv,uv python,uv init,poetry install,\
        poetry add,poetry lock,poetry update,poetry build,poetry publish,bundle install,bundle update,\
        bundle add,conda install,conda create,pipenv install,pipenv sync,pipenv lock,mise install,\
        asdf install,pyenv install",
        "asks a registry",
        &[
            "q,quiet v,verbose dev D group=T G=T frozen no-root all-extras extra=T E=T python=T p=T \
        no-interaction n y,yes r=R upgrade U quiet system without=T with=T jobs=T",
        ],
        "T",
    ),
];
