import Glibc

/// Dates in header fields.
enum HTTPDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// The seconds since 1970 of a date like `Sun, 06 Nov 1994 08:49:37 GMT`, or nil where it is none.
  static func seconds(_ text: String) -> Int? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: String(parts[2])) else { return nil }
    let clock = parts[4].split(separator: ":").compactMap { CInt($0) }
    guard let day = CInt(parts[1]), let year = CInt(parts[3]), clock.count == 3, (1...31).contains(day),
      (1970...9999).contains(year), (0...23).contains(clock[0]), (0...59).contains(clock[1]),
      (0...60).contains(clock[2])
    else { return nil }
    var date = tm()
    date.tm_year = year - 1900
    date.tm_mon = CInt(month)
    date.tm_mday = day
    date.tm_hour = clock[0]
    date.tm_min = clock[1]
    date.tm_sec = clock[2]
    return timegm(&date)
  }
}
