/// Numbers of moments by day and month, as written.
struct MomentCounts: Sendable {
  /// The maximum number of days kept; beyond it, only months are.
  private static let limit = 4000
  /// The maximum number of bars for days, and for months, to be chosen.
  private static let readable = (days: 45, months: 48)

  private var days: [Int: Int]? = [:]
  private var months: [Int: Int] = [:]
  private(set) var count = 0

  /// Counts a text if it is a moment.
  mutating func add(_ text: String) {
    guard let month = TimeUnit.month.place(of: text), let day = TimeUnit.day.place(of: text) else { return }
    count += 1
    months[month, default: 0] += 1
    days?[day, default: 0] += 1
    if (days?.count ?? 0) > Self.limit { days = nil }
  }

  /// The counts by a unit, or by a suitable one, including empty ones in between.
  func bars(by wanted: TimeUnit?) -> [PlotBar] {
    let unit = wanted ?? suiting
    var counts = months
    var shown = unit
    switch unit {
    case .year: counts = Dictionary(months.map { ($0.key / 12, $0.value) }, uniquingKeysWith: +)
    case .day where days != nil: counts = days ?? [:]
    default: shown = .month
    }
    return shown.places(counts.keys).map { PlotBar(label: shown.name(of: $0), count: counts[$0] ?? 0) }
  }

  private var suiting: TimeUnit {
    func span(_ places: some Collection<Int>) -> Int { (places.max() ?? 0) - (places.min() ?? 0) }
    if let days, span(days.keys) < Self.readable.days { return .day }
    return span(months.keys) < Self.readable.months ? .month : .year
  }
}
