import Glibc

/// The three descriptors that a process starts with.
public enum StandardStreams {
    /// Takes the place of those that are closed, so that nothing that is opened later does, and is read or written in their
    /// stead.
    ///
    /// To be called before anything is opened. Reading and writing them goes on to fail.
    public static func reserve() {
        for (descriptor, mode) in [
            (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
        ] where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest one that is free is this.
            _ = unsafe open("/dev/null", mode)
        }
    }
}
