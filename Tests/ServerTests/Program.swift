import Glibc

/// Programs that the tests talk to; suites are skipped where one is absent.
enum Program: String {
    case nghttpd = "/usr/sbin/nghttpd"
    case tinyproxy = "/usr/bin/tinyproxy"
    case microsocks = "/usr/bin/microsocks"

    var isPresent: Bool { unsafe access(rawValue, X_OK) == 0 }
}
