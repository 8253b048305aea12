/// Bold and colours, where they are wanted.
struct TextStyle: Sendable {
    let isOn: Bool

    func bold(_ text: String) -> String { styled(text, "1") }
    func red(_ text: String) -> String { styled(text, "1;31") }
    func green(_ text: String) -> String { styled(text, "1;32") }

    private func styled(_ text: String, _ code: String) -> String {
        isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
