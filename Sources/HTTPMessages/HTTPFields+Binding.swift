extension HTTPFields {
    /// The octets that a token is bound to: the trimmed values of the named fields, joined with nothing between.
    ///
    /// Client and backend must compute them alike, so this stands where both reach it. A field that is absent adds
    /// nothing; several lines of one name count as one value joined with ", ".
    ///
    /// - Parameter names: The fields, in the order that both sides agreed on.
    /// - Returns: The joined octets, or nil when none of the fields is there.
    public func bindingValue(of names: [HTTPField.Name]) -> [UInt8]? {
        let values = names.compactMap { name -> [UInt8]? in
            let lines = filter { $0.name == name }.map(\.bytes)
            return lines.isEmpty ? nil : Array(lines.joined(separator: ", ".utf8))
        }
        return values.isEmpty ? nil : Array(values.joined())
    }
}
