//! `git`, command by command.

use super::{danger, external, looks, plain, project, unknown};
use crate::shell::grammar::{Base, Code, Spec, Style};

/// Options of read-only commands. Some of these options write to a file or run a program.
const MORE: &str = "output=W output-directory=O O=R ext-diff~ show-signature~ exec~ upload-pack~ \
        parseopt~ filters~ textconv?T~ name-only L=T";

/// Returns the row of a command that updates the work tree from history. Git refuses to overwrite uncommitted changes.
const fn keeps(names: &'static str, options: &'static [&'static str], operands: &'static str) -> Spec {
    let does = "keeps what is not committed, and runs the project's hooks and filters";
    Spec::new(names, Base::Project, does).takes(options, operands)
}

const STASH: &[&str] = &[
    "m,message=T u,include-untracked a,all k,keep-index q,quiet S,staged p~ patch~ \
        pathspec-from-file=R pathspec-file-nul",
];

pub(super) const ROWS: &[Spec] = &[
    unknown("git", "runs git")
        .takes(
            &[
                "C=M c=T config-env=T~ exec-path?U~ html-path man-path info-path p,paginate P,no-pager \
        replace-objects no-replace-objects bare git-dir=T~ work-tree=T~ namespace=T~ no-lazy-fetch \
        no-optional-locks no-advice literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs \
        attr-source=T~ super-prefix=T~ v,version h,help list-cmds=T",
            ],
            "T",
        )
        .style(Style::Posix)
        .complete()
        .code(Code::Git),
    looks(
        "git log,git show,git whatchanged,git diff-tree,git rev-list,git reflog show,git stash show,\
        git diff-files,git diff-index,git range-diff,git status,git ls-tree,git rev-parse,git describe,\
        git shortlog,git for-each-ref,git show-ref,git show-branch,git name-rev,git merge-base,\
        git cherry,git count-objects,git version,git check-ref-format,git verify-pack,\
        git get-tar-commit-id,git patch-id,git column,git fmt-merge-msg,git remote get-url,git stash list,\
        git reflog,git worktree list,git notes list,git notes show,git submodule status,git bisect log,\
        git bundle verify,git lfs ls-files",
        "tells about the repository",
        &[MORE],
        "T",
    )
    .style(Style::Negates)
    .code(Code::GitReads),
    looks(
        "git cat-file,",
        "tells about the repository",
        // With `--batch`, git reads object names from standard input, so they are unknown.
        &[MORE, "batch?T~ batch-check?T~ batch-command?T~"],
        "T",
    )
    .style(Style::Negates)
    .code(Code::GitReads),
    looks("git diff,", "shows differences", &[MORE, "no-index"], "D")
        .style(Style::Negates)
        .code(Code::GitReads),
    looks("git symbolic-ref,", "tells about names", &["d,delete! m=T!"], "T").code(Code::GitReads),
    looks("git help,", "tells about git", &["w,web~ i,info~"], "T").code(Code::GitReads),
    looks("git var,", "tells a setting", &[MORE, "l~"], "T").code(Code::GitReads),
    looks("git check-ignore,git check-attr", "tells about names", &["stdin"], "M").code(Code::GitReads),
    looks(
        "git ls-files,",
        "lists files",
        &["s,stage t v f u,unmerged debug eol format=T X,exclude-from=R"],
        "M",
    )
    .style(Style::Negates)
    .code(Code::GitReads),
    looks(
        "git blame,git annotate",
        "tells who wrote what",
        &["S=R contents=R ignore-revs-file=R output=W~"],
        "M",
    )
    .style(Style::Negates)
    .code(Code::GitReads),
    looks(
        "git grep,",
        "searches",
        &["l,files-with-matches,name-only O,open-files-in-pager?S~ f=R textconv~"],
        "D",
    )
    .style(Style::Negates)
    .code(Code::GitReads),
    external(
        "git ls-remote,",
        "asks another repository",
        &[
            "heads,branches tags,t refs upload-pack,exec=S~ exit-code get-url q,quiet symref sort=T \
        o,server-option=T h",
        ],
        "N",
    )
    .style(Style::Negates)
    .code(Code::GitRemote),
    plain(
        "git branch,",
        "makes or lists branches",
        &[
            "a,all r,remotes l,list v,verbose vv q,quiet merged?T no-merged?T contains?T no-contains?T \
        points-at=T sort=T format=T show-current column?T color?T abbrev?T i,ignore-case t,track?T \
        set-upstream-to=T u=T unset-upstream create-reflog recurse-submodules d,delete! D! m,move~ M! \
        c,copy C! f,force! edit-description~",
        ],
        "T",
    )
    .style(Style::Negates)
    .code(Code::GitBranch),
    plain(
        "git tag,",
        "makes or lists tags",
        &[
            "l,list n?T a,annotate m,message=T F,file=R sort=T format=T contains?T no-contains?T merged?T \
        no-merged?T points-at=T column?T color?T i,ignore-case create-reflog cleanup=T s,sign~ u=T~ \
        local-user=T~ v,verify~ e,edit d,delete! f,force!",
        ],
        "T",
    )
    .style(Style::Negates)
    .code(Code::GitBranch),
    plain("git remote,", "tells about remotes", &["v,verbose"], "T")
        .style(Style::Posix)
        .code(Code::Verbs),
    external(
        "git remote show,git remote update",
        "asks another repository",
        &["n p~ prune~"],
        "T",
    )
    .code(Code::GitRemote),
    plain("git remote add,", "changes remotes", &["t=T m=T tags"], "TN").code(Code::GitRemote),
    danger(
        "git remote remove,git remote rm,git remote rename,git remote set-url,git remote prune,git remote \
        set-head,git remote set-branches",
        "changes remotes",
    ),
    keeps("git stash,", STASH, "T").style(Style::Posix).code(Code::Verbs),
    keeps("git stash push,git stash save", STASH, "T").style(Style::Negates),
    keeps(
        "git stash pop,git stash apply,git stash branch,git stash create",
        &["index q,quiet"],
        "T",
    ),
    keeps(
        "git merge,",
        &[
            "commit edit stat n summary log?T signoff squash ff ff-only X,strategy-option=T \
        s,strategy=T~ verify \
        q,quiet v,verbose progress autostash allow-unrelated-histories m=T F,file=R~ into-name=T rerere-autoupdate \
        overwrite-ignore continue quit abort~ S,gpg-sign?T~ verify-signatures~",
        ],
        "T",
    )
    .style(Style::Negates),
    keeps(
        "git cherry-pick,git revert",
        &[
            "edit n,commit x s,signoff m,mainline=T ff allow-empty allow-empty-message keep-redundant-commits \
        X,strategy-option=T strategy=T~ rerere-autoupdate continue quit skip~ abort~ S,gpg-sign?T~",
        ],
        "T",
    )
    .style(Style::Negates),
    keeps(
        "git bisect start,git bisect good,git bisect bad,git bisect new,git bisect old,git bisect skip,\
        git bisect next,git bisect reset",
        &["no-checkout first-parent term-new=T term-old=T term-good=T term-bad=T"],
        "T",
    ),
    external(
        "git submodule update,git submodule init,git submodule sync",
        "asks other repositories",
        &[
            "init recursive q,quiet depth=T j,jobs=T progress N,no-fetch single-branch remote \
        recommend-shallow \
        filter=T f,force! checkout~ merge~ rebase~ reference=T~",
        ],
        "T",
    ),
    danger(
        "git stash drop,git stash clear,git worktree remove,git worktree prune,git worktree move,git \
        submodule deinit,git reflog expire,git reflog delete,git reflog drop,git reflog write,git notes remove,git notes prune",
        "removes something",
    ),
    plain(
        "git worktree add,",
        "makes a work tree",
        &["b=T d,detach track q,quiet lock"],
        "OT",
    )
    .style(Style::Negates),
    unknown(
        "git worktree,git submodule,git bisect,git notes,git lfs,git bundle,git svn,git p4,git subtree,\
        git annex,git flow",
        "runs git",
    )
    .takes(&["q,quiet v"], "T")
    .style(Style::Posix)
    .code(Code::Verbs),
];

pub(super) const WRITES: &[Spec] = &[
    plain(
        "git add,git stage",
        "notes changes for the next commit",
        &[
            "n,dry-run v,verbose f,force i~ p~ e~ u,update renormalize N,intent-to-add A,all refresh \
        ignore-errors ignore-missing sparse chmod=T~ pathspec-from-file=R pathspec-file-nul",
        ],
        "T",
    )
    .style(Style::Negates),
    project(
        "git commit,",
        &[
            "a,all m,message=T q,quiet allow-empty allow-empty-message F,file=R author=T date=T n,verify \
        no-verify amend v,verbose s,signoff edit no-edit dry-run short branch porcelain long z status \
        C,reuse-message=T c=T~ fixup=T squash=T reset-author cleanup=T i,include o,only \
        u,untracked-files?T gpg-sign?T~ S?T~ t=R trailer=T p~ interactive~ pathspec-from-file=R",
        ],
        "T",
    )
    .style(Style::Negates),
    unknown(
        "git rebase,git am,git apply,git merge-tree,git mergetool,\
        git difftool,git send-email,git maintenance,git gc,git repack,git fsck,git pack-refs,\
        git update-index,git hash-object,git mktree,git commit-tree,git write-tree,git unpack-objects,\
        git replace,git fast-import,git fast-export,git archive,git format-patch,git bundle create,\
        git interpret-trailers,git credential,git daemon,git http-backend,git instaweb,git gui,\
        git citool,git gitk,git shell,git web--browse,git upload-pack,git receive-pack,\
        git remote-ext,git remote-fd,git sparse-checkout,git rerere,git quiltimport,git request-pull,\
        git imap-send,git stash store",
        "changes the repository or the work tree",
    )
    .takes(
        &["output=W o=W output-directory=O exec=S~ x=S~ remote=N~ upload-pack=S~ extcmd=S~ in-place! i"],
        "T",
    )
    .style(Style::Negates)
    .code(Code::GitReads),
    external(
        "git fetch,",
        "asks another repository",
        &[
            "all a,append depth=T deepen=T shallow-since=T unshallow multiple n j,jobs=T t,tags no-tags \
        q,quiet v,verbose progress dry-run p,prune P~ prune-tags~ f,force! u~ update-head-ok~ \
        upload-pack=S~ k,keep recurse-submodules?T 4 6 set-upstream o,server-option=T atomic filter=T \
        refetch",
        ],
        "N",
    )
    .style(Style::Negates)
    .code(Code::GitRemote),
    external(
        "git clone,",
        "copies another repository",
        &[
            "q,quiet v,verbose progress n,no-checkout bare mirror b,branch=T o,origin=T depth=T single-branch \
        tags no-tags recurse-submodules?T~ shallow-submodules j,jobs=T filter=T sparse l,local s,shared \
        no-hardlinks dissociate 4 6 shallow-since=T u,upload-pack=S~ c,config=T~ template=T~ \
        separate-git-dir=T~ reference=T~",
        ],
        "NO",
    )
    .style(Style::Negates)
    .code(Code::GitRemote),
    external(
        "git push,",
        "sends to another repository",
        &[
            "v,verbose q,quiet all,branches tags follow-tags n,dry-run u,set-upstream o,push-option=T \
        porcelain progress atomic verify no-verify signed?T~ recurse-submodules=T thin 4 6 repo=N \
        f,force! force-with-lease?T! force-if-includes! d,delete! mirror! prune! receive-pack,exec=S~",
        ],
        "NT",
    )
    .style(Style::Negates)
    .complete()
    .code(Code::GitRemote),
    external(
        "git pull,",
        "takes over what another repository has",
        &[
            "q,quiet v,verbose progress rebase?T r?T ff-only ff commit edit stat n summary log?T \
        signoff squash autostash \
        all a,append depth=T j,jobs=T t,tags p,prune dry-run k,keep set-upstream 4 6 X,strategy-option=T \
        allow-unrelated-histories f,force! s,strategy=T~ upload-pack=S~ recurse-submodules?T~ S,gpg-sign?T~",
        ],
        "N",
    )
    .style(Style::Negates)
    .code(Code::GitRemote),
    plain(
        "git checkout,git switch",
        "goes to a branch",
        &[
            "b=T c,create=T q,quiet orphan=T t,track?T no-track guess progress l d,detach f,force! \
        discard-changes! B=T! C=T! m,merge~ p~ ours~ theirs~ conflict=T~ ignore-other-worktrees \
        pathspec-from-file=R! pathspec-file-nul recurse-submodules~ overwrite-ignore",
        ],
        "T",
    )
    .style(Style::Negates)
    .complete()
    .code(Code::GitCheckout),
    unknown("git restore,", "changes files of the work tree")
        .takes(
            &[
                "S,staged W,worktree s,source=T q,quiet progress p~ ours theirs m conflict=T \
        pathspec-from-file=R \
        ignore-unmerged overlay",
            ],
            "T",
        )
        .style(Style::Negates)
        .complete()
        .code(Code::GitCheckout),
    plain(
        "git reset,",
        "changes what the next commit holds",
        &[
            "q,quiet refresh mixed soft N,intent-to-add hard! merge! keep! p~ pathspec-from-file=R \
        pathspec-file-nul",
        ],
        "T",
    )
    .style(Style::Negates)
    .complete()
    .code(Code::GitCheckout),
    danger("git rm,", "removes files")
        .takes(
            &["n,dry-run q,quiet cached f,force r ignore-unmatch sparse pathspec-from-file=R"],
            "T",
        )
        .style(Style::Negates)
        .complete()
        .code(Code::GitCheckout),
    danger("git mv,", "moves files")
        .takes(&["n,dry-run v,verbose f,force k sparse"], "T")
        .style(Style::Negates)
        .complete()
        .code(Code::GitCheckout),
    danger("git clean,", "removes files")
        .takes(&["n,dry-run q,quiet f,force d x X e,exclude=T i,interactive"], "T")
        .style(Style::Negates)
        .complete()
        .code(Code::GitCheckout),
    danger(
        "git filter-branch,git filter-repo,git prune,git prune-packed,git update-ref,git checkout-index,\
        git read-tree,git merge-file",
        "rewrites or removes what was there",
    ),
    plain(
        "git init,",
        "makes a repository",
        &["q,quiet bare b,initial-branch=T object-format=T"],
        "E",
    )
    .style(Style::Negates),
    plain("git config,", "tells or changes settings", &[], "T")
        .style(Style::Negates)
        .code(Code::GitConfig),
];
