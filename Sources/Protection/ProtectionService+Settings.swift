import Cryptography
public import HTTPMessages

extension ProtectionService {
    /// Installs the app's own policy; nil goes back to ``DefaultServiceMutator``.
    public func setServiceMutator(_ mutator: (any ServiceMutator)?) {
        update { $0.mutator = mutator ?? DefaultServiceMutator() }
    }

    /// The policy in force.
    public var serviceMutator: any ServiceMutator { snapshot.mutator }

    /// Sets the pins of the app's own, in place of those of the configuration; nil goes back to these.
    ///
    /// Requests that start after it go by the new pins, and use no connection that was made under others. They hold with an
    /// empty configuration too, and before the service is initialized, until another configuration replaces the present one.
    public func setPins(_ policy: PinningPolicy?) {
        update { $0.ownPins = policy }
    }

    /// The pins that hold: the app's own or those of the configuration.
    ///
    /// Nil leaves the choice to the session.
    public var pins: PinningPolicy? { snapshot.pins }

    /// Sets how much is logged; the default is ``LogLevel/info``.
    public func setLoggingLevel(_ level: LogLevel) {
        update { $0.logger.level = level }
    }

    /// How much is logged.
    public var loggingLevel: LogLevel { snapshot.logger.level }

    /// Sets where log entries go; the default is standard error.
    public func setLogSink(_ sink: any LogSink) {
        update { $0.logger.sink = sink }
    }

    /// Sets the field that carries the token, and what stands before it, for example "Bearer "; by default
    /// `Protection-Token` and nothing.
    ///
    /// - Throws: ``ProtectionError`` with code `configuration` when a field cannot hold the prefix, or when tokens are
    ///   bound to this field.
    public func setTokenHeader(_ name: HTTPField.Name, prefix: String = "") throws {
        let header = try Self.prefixedHeader(name, prefix)
        try update { state in
            guard !state.settings.bindingHeaders.contains(name) else {
                throw ProtectionError(
                    .configuration,
                    "setTokenHeader: a token cannot be bound to its own field"
                )
            }
            state.settings.tokenHeader = header
        }
    }

    /// The field that carries the token, and what stands before it.
    public var tokenHeader: (name: HTTPField.Name, prefix: String) {
        let header = snapshot.settings.tokenHeader
        return (header.name, header.prefix)
    }

    /// Sets the field that carries the trace identifier, by default `Protection-TraceID`; nil sends none.
    public func setTraceIDHeader(_ name: HTTPField.Name?) {
        update { $0.settings.traceIDHeader = name }
    }

    /// The field that carries the trace identifier; nil when none is sent.
    public var traceIDHeader: HTTPField.Name? { snapshot.settings.traceIDHeader }

    /// Binds each token to what these fields hold in the request it is for; an empty list binds to nothing.
    ///
    /// The token's `pay` claim becomes the SHA-256 of the values, trimmed and joined, in standard base64. A request
    /// with other values gets another token; one without the fields gets a token without the claim.
    ///
    /// - Throws: ``ProtectionError`` with code `configuration` while data is bound by ``setDataHashInToken(_:)``, or
    ///   when a field is the token's own.
    public func setBindingHeaders(_ names: [HTTPField.Name]) throws {
        try update { state in
            guard names.isEmpty || state.settings.dataHash == nil else {
                throw ProtectionError(.configuration, "setBindingHeaders: tokens are bound to data already")
            }
            guard !names.contains(state.settings.tokenHeader.name) else {
                throw ProtectionError(
                    .configuration,
                    "setBindingHeaders: a token cannot be bound to its own field"
                )
            }
            state.settings.bindingHeaders = names
        }
    }

    /// The fields that tokens are bound to.
    public var bindingHeaders: [HTTPField.Name] { snapshot.settings.bindingHeaders }

    /// Binds each token to data that no field carries; nil binds to nothing.
    ///
    /// - Throws: ``ProtectionError`` with code `configuration` while tokens are bound to fields; `CryptographyError`
    ///   when OpenSSL fails.
    public func setDataHashInToken(_ data: [UInt8]?) throws {
        let hash = try data.map { try HashAlgorithm.sha256.hash($0) }
        try update { state in
            guard hash == nil || state.settings.bindingHeaders.isEmpty else {
                throw ProtectionError(
                    .configuration,
                    "setDataHashInToken: tokens are bound to header fields already"
                )
            }
            state.settings.dataHash = hash
        }
    }

    /// Sets whether the status of the fetch is attached in the place of a token that there is none of.
    ///
    /// It takes a mutator whose ``ServiceMutator/interceptorFetchTokenResult(_:for:)`` answers `.attachToken` for such a status:
    /// the default one sends the request without the field, or stops it.
    public func setUsesStatusIfNoToken(_ usesStatus: Bool) {
        update { $0.settings.usesStatusIfNoToken = usesStatus }
    }

    /// Whether the status is sent in the token's place.
    public var usesStatusIfNoToken: Bool { snapshot.settings.usesStatusIfNoToken }

    /// Has the value of a field replaced by a secret: what follows the prefix is the secret's key.
    ///
    /// - Throws: ``ProtectionError`` with code `configuration` when a field cannot hold the prefix.
    public func addSubstitutionHeader(_ name: HTTPField.Name, prefix: String = "") throws {
        let header = try Self.prefixedHeader(name, prefix)
        update { state in
            state.settings.substitutionHeaders.removeAll { $0.name == name }
            state.settings.substitutionHeaders.append(header)
        }
    }

    /// Has the value of a field left as it is again.
    public func removeSubstitutionHeader(_ name: HTTPField.Name) {
        update { $0.settings.substitutionHeaders.removeAll { $0.name == name } }
    }

    /// The fields whose values are replaced by secrets, with their prefixes.
    public var substitutionHeaders: [HTTPField.Name: String] {
        snapshot.settings.substitutionHeaders.reduce(into: [:]) { $0[$1.name] = $1.prefix }
    }

    /// Has the value of a query parameter, which is the key of a secret, replaced by the secret.
    ///
    /// - Parameter name: The parameter's name, not percent-encoded.
    public func addSubstitutionQueryParameter(_ name: String) {
        update { state in
            guard !state.settings.substitutionQueryParameters.contains(name) else { return }
            state.settings.substitutionQueryParameters.append(name)
        }
    }

    /// Has the value of a query parameter left as it is again.
    public func removeSubstitutionQueryParameter(_ name: String) {
        update { $0.settings.substitutionQueryParameters.removeAll { $0 == name } }
    }

    /// The query parameters whose values are replaced by secrets.
    public var substitutionQueryParameters: [String] { snapshot.settings.substitutionQueryParameters }

    /// Leaves requests alone whose URL a regular expression is found in; pins still hold for them.
    ///
    /// - Throws: ``ProtectionError`` with code `configuration` when the pattern is not a regular expression.
    public func addExclusionURLRegex(_ pattern: String) throws {
        let exclusion: ExclusionPattern
        do {
            exclusion = try ExclusionPattern(pattern)
        } catch {
            throw ProtectionError(
                .configuration,
                "addExclusionURLRegex: not a regular expression",
                underlying: error
            )
        }
        update { state in
            guard !state.settings.exclusions.contains(where: { $0.source == pattern }) else { return }
            state.settings.exclusions.append(exclusion)
        }
    }

    /// Takes a pattern back.
    public func removeExclusionURLRegex(_ pattern: String) {
        update { $0.settings.exclusions.removeAll { $0.source == pattern } }
    }

    /// The patterns of URLs that are left alone.
    public var exclusionURLRegexes: [String] { snapshot.settings.exclusions.map(\.source) }

    private static func prefixedHeader(
        _ name: HTTPField.Name,
        _ prefix: String
    ) throws -> ProtectionSettings.PrefixedHeader {
        do {
            _ = try HTTPField(name, prefix + "x")
        } catch {
            throw ProtectionError(.configuration, "the prefix for \(name) is not one", underlying: error)
        }
        return ProtectionSettings.PrefixedHeader(name: name, prefix: prefix)
    }
}
