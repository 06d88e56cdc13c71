//! Package managers, which access a registry and run code of packages.

use super::{danger, external, project, unknown};
use crate::shell::grammar::{Code, Spec, Style};

const NPM: &[&str] = &[
    "s,silent q,quiet d dd verbose json l,long p,parseable depth=T a,all g,global D,save-dev,dev \
        O,save-optional E,save-exact S,save prod production omit=T include=T w,workspace=T ws,workspaces \
        workspaces if-present no-audit no-fund prefer-offline offline legacy-peer-deps force f \
        frozen-lockfile immutable registry=T tag=T access=T y,yes C=M prefix=M cwd=M ignore-scripts \
        dry-run otp=T filter=T r,recursive F=T latest L u,update v,version h,help no-optional loglevel=T \
        color=T parallel no-progress package-lock-only audit-level=T",
];

pub(super) const ROWS: &[Spec] = &[
    unknown("npm pnpm yarn cnpm", "runs a package manager")
        .takes(NPM, "T")
        .style(Style::Posix)
        .code(Code::Verbs),
    project(
        "npm run,npm run-script,npm test,npm t,npm start,npm stop,npm restart,npm tst,pnpm run,pnpm test,\
        pnpm t,pnpm start,pnpm lint,pnpm build,pnpm dev,yarn run,yarn test,yarn build,yarn lint,\
        yarn start,yarn dev,yarn format,yarn typecheck,pnpm format,pnpm typecheck,bun run,bun test,\
        deno test,deno lint,deno check,deno task,npm rebuild",
        NPM,
        "T",
    ),
    // These programs write logs, which the read-only sandbox blocks.
    external(
        "npm view,npm info,npm show,npm v,npm outdated,npm audit,npm search,npm whoami,npm ping,\
        npm install,npm i,npm in,npm add,npm ci,npm install-ci-test,npm install-test,npm cit,npm it,\
        npm update,npm up,npm publish,npm login,npm logout,npm adduser,npm token,npm access,npm owner,\
        npm dist-tag,npm deprecate,npm doctor,npm dedupe,npm link,npm pack,pnpm install,pnpm i,pnpm add,\
        pnpm update,pnpm up,pnpm publish,pnpm audit,pnpm outdated,pnpm fetch,pnpm import,yarn info,\
        yarn install,yarn add,yarn upgrade,yarn up,yarn publish,yarn audit,yarn outdated,bun install,\
        bun add,bun update",
        "asks a registry",
        NPM,
        "T",
    ),
    danger(
        "npm uninstall,npm un,npm remove,npm rm,npm r,npm unlink,npm prune,npm unpublish,npm cache,\
        pnpm remove,pnpm rm,pnpm prune,pnpm uninstall,pnpm store,yarn remove,yarn cache,bun remove",
        "removes something",
    ),
    project(
        "composer test,composer run,composer run-script,composer check,composer lint",
        &["q,quiet v,verbose no-interaction n dev no-dev"],
        "T",
    ),
    unknown("pip pip3", "installs packages")
        .takes(
            &[
                "q,quiet v,verbose V,version h,help isolated no-input disable-pip-version-check \
        no-color python=U",
            ],
            "T",
        )
        .style(Style::Posix)
        .code(Code::Verbs),
    external(
        "pip install,pip download,pip wheel,pip index,pip search,pip3 install,pip3 download,pip3 \
        wheel,pip3 index",
        "asks a registry",
        &[
            "r,requirement=R c,constraint=R e,editable=T U,upgrade q,quiet v,verbose no-deps pre user \
        break-system-packages no-cache-dir index-url=T i=T extra-index-url=T t=O~ target=O~ d=O dry-run \
        no-build-isolation only-binary=T force-reinstall disable-pip-version-check",
        ],
        "T",
    ),
    danger("pip uninstall,pip3 uninstall,pip cache,pip3 cache", "removes packages"),
    unknown(
        "apt apt-get aptitude dnf yum zypper pacman apk brew port snap flatpak emerge xbps-install pkg \
        rpm dpkg gem cpan cpanm luarocks composer opam cabal-dummy",
        "manages packages",
    )
    .takes(
        &["y,yes,assume-yes q,quiet qq v,verbose V,version no-install-recommends"],
        "T",
    )
    .style(Style::Posix)
    .code(Code::Verbs),
    external(
        "apt update,apt install,apt upgrade,apt full-upgrade,apt download,apt source,apt-get update,\
        apt-get install,apt-get upgrade,apt-get dist-upgrade,apt-get download,apt-get source,dnf install,\
        dnf update,dnf upgrade,dnf makecache,yum install,yum update,zypper install,apk add,apk update,\
        apk upgrade,brew install,brew update,brew upgrade,snap install,snap refresh,flatpak install,\
        gem install,gem update,composer install,composer update,composer require,opam install,\
        luarocks install",
        "installs packages",
        &[
            "y,yes,assume-yes q,quiet qq no-install-recommends no-cache u virtual=T f,fix-broken d reinstall \
        only-upgrade no-dev dev no-interaction n prefer-dist v,version=T no-document N cask classic",
        ],
        "T",
    ),
    danger(
        "apt remove,apt purge,apt autoremove,apt clean,apt autoclean,apt-get remove,apt-get purge,\
        apt-get autoremove,apt-get clean,apt-get autoclean,dnf remove,dnf erase,dnf autoremove,dnf clean,\
        yum remove,yum erase,yum autoremove,zypper remove,zypper rm,apk del,brew uninstall,brew remove,\
        brew rm,brew cleanup,brew autoremove,snap remove,flatpak uninstall,flatpak remove,gem uninstall,\
        gem cleanup,composer remove,opam remove,luarocks remove",
        "removes packages",
    ),
];
