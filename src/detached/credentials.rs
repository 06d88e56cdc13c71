//! The owner of the process at the other end of a socket.

use std::os::fd::BorrowedFd;

/// Whether the process at the other end belongs to this user. This is an additional check, because the private folder
/// already excludes other users.
pub(crate) fn is_own_user(socket: BorrowedFd<'_>) -> bool {
    #[cfg(target_os = "linux")]
    {
        rustix::net::sockopt::socket_peercred(socket).is_ok_and(|peer| peer.uid == rustix::process::getuid())
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = socket;
        true
    }
}
