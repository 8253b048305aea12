import MessageSignatures

/// The code of the error that a call throws; nil when it throws none, or one of another type.
func refusal<Value>(_ body: () throws -> Value) -> SignatureError.Code? {
    do {
        _ = try body()
        return nil
    } catch { return (error as? SignatureError)?.code }
}
