extension HTTPFields {
    /// The text that a token is bound to: the trimmed values of the named fields, joined with nothing between.
    ///
    /// Client and backend must compute it alike, so it stands where both reach it. A field that is absent adds
    /// nothing; several lines of one name count as one value joined with ", ".
    ///
    /// - Parameter names: The fields, in the order that both sides agreed on.
    /// - Returns: The joined text, or nil when none of the fields is there.
    public func bindingValue(of names: [HTTPField.Name]) -> String? {
        let values = names.compactMap { self[$0] }
        return values.isEmpty ? nil : values.joined()
    }
}
