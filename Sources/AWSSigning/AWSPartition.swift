/// The domains under which AWS keeps its regions.
enum AWSPartition {
    /// The domain of a region's public endpoints.
    static func domain(of region: String) -> String {
        region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
    }
}
