//! seccomp: blocks system calls that reach beyond files and processes and that no build, test or tool needs. Blocked
//! calls fail with `EPERM`, or with `ENOSYS` if libraries then fall back to an older call.

use std::collections::BTreeMap;
use std::io;

use nix::libc;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter, sock_filter,
};

const FORBIDDEN: &[libc::c_long] = &[
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_setns,
    // Open files by handle instead of path, which bypasses path checks.
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    // Another way to make system calls, which bypasses filters like this one.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // Memory and files of other processes. `ptrace` is allowed, because it only reaches processes in this sandbox.
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    // Access keys in the kernel's keyring, which belong to the user, not to the process.
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // Change or observe the whole machine.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_syslog,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_vhangup,
];

/// Flags that create namespaces. A process has more rights in its own namespaces, so it can reach more kernel code.
const NAMESPACES: [libc::c_int; 7] = [
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWCGROUP,
];

/// `ioctl` requests that insert text into a terminal as if the person typed it. `TIOCLINUX` pastes on a console.
const TYPING: [u64; 2] = [0x5412, 0x541C];

/// Address family of sockets to the host of a virtual machine (vsock), which bypass network namespaces.
const HOST_SOCKETS: u64 = 40;

/// Installs the filters for this thread and its descendants.
pub(super) fn forbid() -> io::Result<()> {
    for program in [not_built_in(), forbidden()] {
        let program = program.map_err(io::Error::other)?;
        apply_filter(&program).map_err(io::Error::other)?;
    }
    Ok(())
}

/// Returns the filter for `clone3`, whose flags no filter can read, because they are behind a pointer. Libraries fall
/// back to `clone`.
fn not_built_in() -> Result<BpfProgram, seccompiler::BackendError> {
    compiled(BTreeMap::from([(libc::SYS_clone3, Vec::new())]), libc::ENOSYS)
}

fn forbidden() -> Result<BpfProgram, seccompiler::BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = FORBIDDEN.iter().map(|call| (*call, Vec::new())).collect();
    let spaces = NAMESPACES.map(|flag| u64::from(flag.unsigned_abs()));
    let has = |flag: u64| one(0, SeccompCmpOp::MaskedEq(flag), flag);
    for call in [libc::SYS_clone, libc::SYS_unshare] {
        rules.insert(call, spaces.into_iter().map(has).collect::<Result<_, _>>()?);
    }
    let typing = TYPING.map(|request| one(1, SeccompCmpOp::Eq, request));
    rules.insert(libc::SYS_ioctl, typing.into_iter().collect::<Result<_, _>>()?);
    rules.insert(libc::SYS_socket, vec![one(0, SeccompCmpOp::Eq, HOST_SOCKETS)?]);
    for (call, mode, flags) in MODES {
        let special = SPECIAL.into_iter().map(|bit| special(*mode, bit, *flags));
        rules.insert(*call, special.collect::<Result<_, _>>()?);
    }
    compiled(rules, libc::EPERM)
}

/// Mode bits that make a program run as its owner or group (setuid, setgid).
const SPECIAL: [u64; 2] = [0o4000, 0o2000];

/// Number of the system call `fchmodat2`, the same on all three architectures. `libc` lacks it for musl on ARM.
const FCHMODAT2: libc::c_long = 452;

/// System calls that set a file's mode. Each call has the index of its mode argument. A call that uses the mode only
/// when it creates a file also has the index of its flags.
const MODES: &[(libc::c_long, u8, Option<u8>)] = &[
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_chmod, 1, None),
    (libc::SYS_fchmod, 1, None),
    (libc::SYS_fchmodat, 2, None),
    (FCHMODAT2, 2, None),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_creat, 1, None),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, 2, Some(1)),
    (libc::SYS_openat, 3, Some(2)),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_mknod, 1, None),
    (libc::SYS_mknodat, 2, None),
];

fn special(mode: u8, bit: u64, flags: Option<u8>) -> Result<SeccompRule, seccompiler::BackendError> {
    let masked =
        |argument, bits| SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(bits), bits);
    let made = flags.map(|flags| masked(flags, u64::from(libc::O_CREAT.unsigned_abs())));
    let conditions: Result<Vec<_>, _> = made.into_iter().chain([masked(mode, bit)]).collect();
    SeccompRule::new(conditions?)
}

fn one(argument: u8, operator: SeccompCmpOp, value: u64) -> Result<SeccompRule, seccompiler::BackendError> {
    let condition = SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)?;
    SeccompRule::new(vec![condition])
}

fn compiled(rules: BTreeMap<i64, Vec<SeccompRule>>, errno: i32) -> Result<BpfProgram, seccompiler::BackendError> {
    let answer = SeccompAction::Errno(errno.unsigned_abs());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, answer, ARCHITECTURE)?;
    let mut program = other_numbering(errno.unsigned_abs());
    program.extend(BpfProgram::try_from(filter)?);
    Ok(program)
}

#[cfg(target_arch = "x86_64")]
pub(super) const ARCHITECTURE: TargetArch = TargetArch::x86_64;
#[cfg(target_arch = "aarch64")]
pub(super) const ARCHITECTURE: TargetArch = TargetArch::aarch64;
#[cfg(target_arch = "riscv64")]
pub(super) const ARCHITECTURE: TargetArch = TargetArch::riscv64;

/// Blocks the x32 interface: on x86-64, this bit in the number selects a second variant of each call, which the other
/// filters do not match.
fn other_numbering(errno: u32) -> BpfProgram {
    const X32: u32 = 0x4000_0000;
    if !cfg!(target_arch = "x86_64") {
        return Vec::new();
    }
    let instruction = |code: u32, jt, jf, k| sock_filter {
        code: u16::try_from(code).unwrap_or_default(),
        jt,
        jf,
        k,
    };
    vec![
        // The first word of the filter's input is the system call number.
        instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, 0),
        instruction(libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K, 0, 1, X32),
        instruction(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_ERRNO | errno),
    ]
}
