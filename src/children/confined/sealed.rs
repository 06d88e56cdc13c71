//! Restricts a process of Benchdog permanently before it parses data that may be hostile. Afterwards the process can
//! compute, read open files and write its outputs. It cannot open files, start programs or use the network. The seal
//! needs no namespace, so it works wherever seccomp does.

use std::collections::BTreeMap;
use std::io;

use nix::libc;
use rustix::process::{Resource, Rlimit, getpid, setrlimit};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    apply_filter,
};

use super::calls::ARCHITECTURE;

/// Memory and time limits of a sealed process. If the process exceeds a limit, an allocation fails or the kernel ends
/// the process.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Maximum mapped bytes, including the program itself.
    pub mapped: u64,
    /// Maximum bytes of heap and other private writable memory.
    pub own: u64,
    pub cpu_seconds: u64,
}

/// System calls that only use memory, clocks and open files.
const ALLOWED: &[libc::c_long] = &[
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_write,
    libc::SYS_writev,
    libc::SYS_close,
    libc::SYS_lseek,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_madvise,
    libc::SYS_brk,
    libc::SYS_futex,
    libc::SYS_sched_yield,
    libc::SYS_getrandom,
    libc::SYS_clock_gettime,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_getpid,
    libc::SYS_gettid,
    libc::SYS_exit,
    libc::SYS_exit_group,
];

/// After an error, the process is not sealed and must not parse untrusted data.
pub fn seal(bounds: &Bounds) -> io::Result<()> {
    let limits = [
        (Resource::As, bounds.mapped),
        (Resource::Data, bounds.own),
        (Resource::Cpu, bounds.cpu_seconds),
        (Resource::Core, 0),
    ];
    for (resource, most) in limits {
        let limit = Rlimit {
            current: Some(most),
            maximum: Some(most),
        };
        setrlimit(resource, limit)?;
    }
    let program = allowed().map_err(io::Error::other)?;
    apply_filter(&program).map_err(io::Error::other)
}

fn allowed() -> Result<BpfProgram, seccompiler::BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = ALLOWED.iter().map(|call| (*call, Vec::new())).collect();
    // No memory may become executable.
    let code = u64::from(libc::PROT_EXEC.unsigned_abs());
    for call in [libc::SYS_mmap, libc::SYS_mprotect] {
        rules.insert(call, vec![one(2, SeccompCmpOp::MaskedEq(code), 0)?]);
    }
    // `abort` sends a signal to its own process.
    let own = u64::from(getpid().as_raw_nonzero().get().unsigned_abs());
    rules.insert(libc::SYS_tgkill, vec![one(0, SeccompCmpOp::Eq, own)?]);
    let refused = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    SeccompFilter::new(rules, refused, SeccompAction::Allow, ARCHITECTURE)?.try_into()
}

fn one(argument: u8, operator: SeccompCmpOp, value: u64) -> Result<SeccompRule, seccompiler::BackendError> {
    let condition = SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)?;
    SeccompRule::new(vec![condition])
}
