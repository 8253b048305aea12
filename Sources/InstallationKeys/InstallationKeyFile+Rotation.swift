public import Cryptography
internal import FileStorage

/// A new key for the installation, in three steps.
///
/// 1. ``prepareSuccessor()`` makes the new key beside the old one, which stays in use.
/// 2. The caller enrols the new key with its authority, and shows that it has the old one. A new key is enrolled before
///    the old one goes: otherwise an installation that stops in between could prove nothing any more.
/// 3. ``promoteSuccessor(expecting:)`` puts the new key in the place of the old one, which is gone then.
///
/// The process may stop anywhere. It then begins again with the first step, which gives the same new key, so enrolling it a
/// second time must do no harm, as it does none with `AttestationAuthority.replaceKey`. After the third step there is no successor, and the new key is what ``load()`` gives.
extension InstallationKeyFile {
    private var next: PrivateFile { PrivateFile(path: path + ".next", maximumSize: current.maximumSize) }

    /// Makes the successor of the key, or gives the one that is there already.
    ///
    /// - Returns: The successor, which is on the device when this returns.
    /// - Throws: ``InstallationKeyError`` as ``load()`` says, for either file, and ``create()``; `notFound` when there is
    ///   no key to succeed.
    public func prepareSuccessor() throws(InstallationKeyError) -> PrivateKey {
        try locked { () throws(InstallationKeyError) in
            _ = try load()
            return try loadOrCreate(next)
        }
    }

    /// Puts the successor in the place of the key, in one step.
    ///
    /// - Parameter expected: The key that was enrolled; nil to take whatever the successor is, when only one process ever
    ///   changes it.
    /// - Returns: The successor, which is now the key.
    /// - Throws: ``InstallationKeyError`` with code `noSuccessor`, `wrongSuccessor`, or as ``load()`` says, for either file:
    ///   a key that is damaged is not overwritten.
    @discardableResult
    public func promoteSuccessor(
        expecting expected: PublicKey? = nil
    ) throws(InstallationKeyError)
        -> PrivateKey
    {
        try locked { () throws(InstallationKeyError) in
            _ = try load()
            guard let key = try loadIfPresent(next) else {
                throw InstallationKeyError(.noSuccessor, "\(next.path): there is no successor")
            }
            guard expected == nil || expected == key.publicKey else {
                throw InstallationKeyError(.wrongSuccessor, "\(next.path): it is not the key expected")
            }
            do throws(FileStorageError) { try current.replace(by: next) } catch {
                throw InstallationKeyError(error)
            }
            return key
        }
    }

    /// Removes the successor, if there is one.
    ///
    /// One that was enrolled should be taken back at the authority too.
    ///
    /// - Throws: ``InstallationKeyError`` with code `unsafeFile`, `inputOutput`, or `notFound` for a missing directory.
    public func discardSuccessor() throws(InstallationKeyError) {
        try locked { () throws(InstallationKeyError) in
            do throws(FileStorageError) { try next.remove() } catch {
                guard error.code != .notFound else { return }
                throw InstallationKeyError(error)
            }
        }
    }
}
