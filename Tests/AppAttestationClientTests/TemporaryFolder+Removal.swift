import FoundationEssentials
import TestSupport

extension TemporaryFolder {
    func remove(where isGone: (String) -> Bool) throws {
        for name in names where isGone(name) { try FileManager.default.removeItem(atPath: self[name]) }
    }
}
