/// What becomes of a send when no route leads to its host.
///
/// A send is refused or held only if the ``NetworkMonitor`` is sure: never one to this machine, over a Unix-domain socket, to a
/// neighbour on a link or in a network that the machine is part of, to a name that this machine may know by itself, through a
/// proxy that it cannot tell, or over a transport that does not tell where it goes (``Transport/host(for:)``).
public enum OfflinePolicy: Sendable, Hashable {
    /// It fails at once with `offline`. So does one that could not connect while there was no way out.
    case fail
    /// It waits until a route is there, within its total time limit. What actions did before the wait stands, signatures and
    /// permits included.
    ///
    /// An attempt that could not connect while there was no way out is made again, as the next attempt.
    case wait
    /// Nobody is asked, and the attempt is made: for machines whose routes do not tell what can be reached.
    case tryAnyway
}
