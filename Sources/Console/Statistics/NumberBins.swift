import Glibc

/// A histogram of numbers with bins of equal width. If there would be too many bins, their width doubles, so that
/// storage is bounded.
struct NumberBins: Sendable {
  private static let limit = 4096

  /// The binary logarithm of the width; nil while all numbers are zero.
  private var exponent: Int?
  private var counts: [Int: Int] = [:]
  private var least = Double.infinity
  private var most = -Double.infinity
  private var isWhole = true
  private(set) var count = 0

  /// Counts a number unless it exceeds the range of Double.
  mutating func add(_ number: Double) {
    guard number.isFinite else { return }
    count += 1
    least = min(least, number)
    most = max(most, number)
    isWhole = isWhole && number == number.rounded()
    if number != 0 {
      // Indices of bins have at most 62 bits.
      let needed = max(Int(number.exponent) - 60, -1000)
      if needed > exponent ?? needed { widen(to: needed) } else { exponent = exponent ?? needed }
    }
    counts[place(of: number), default: 0] += 1
    while counts.count > Self.limit, let exponent { widen(to: exponent + 1) }
  }

  private func place(of number: Double) -> Int {
    guard let exponent else { return 0 }
    return Int((number / Double(sign: .plus, exponent: exponent, significand: 1)).rounded(.down))
  }

  private mutating func widen(to wanted: Int) {
    let shift = wanted - (exponent ?? wanted)
    var merged: [Int: Int] = [:]
    for (place, count) in counts { merged[place >> shift, default: 0] += count }
    (counts, exponent) = (merged, wanted)
  }

  /// About `wanted` bins at most, between round bounds, including empty ones.
  func bars(_ wanted: Int) -> [PlotBar] {
    guard count > 0 else { return [] }
    var power = Int.min
    var factor = 1
    // The range itself may overflow.
    let rough = most / Double(wanted) - least / Double(wanted)
    if rough > 0 {
      power = Int(log10(rough).rounded(.down))
      factor = [1, 2, 5, 10].first { Double($0) * pow(10, Double(power)) >= rough } ?? 10
      if isWhole, power < 0 { (power, factor) = (0, 1) }
    }
    let step = Double(factor) * pow(10, Double(power))
    let unit = exponent.map { Double(sign: .plus, exponent: $0, significand: 1) } ?? 1
    guard step > 0, step.isFinite, let first = bin(least, step), let last = bin(most, step), last - first <= 4 * wanted
    else { return [PlotBar(label: Self.text(least), count: count)] }
    var bins = Array(repeating: 0, count: last - first + 1)
    for (place, count) in counts {
      guard let bin = bin(Double(place) * unit, step) else { continue }
      bins[min(max(bin - first, 0), last - first)] += count
    }
    return bins.enumerated().map { index, count in
      PlotBar(label: label(of: first + index, factor, power), count: count)
    }
  }

  private func bin(_ number: Double, _ step: Double) -> Int? {
    // A number at a bound belongs to the bin that begins there, but division is inexact.
    Int(exactly: (number / step + 1e-9).rounded(.down))
  }

  /// The bounds of a bin. The upper one is exclusive unless all numbers are whole.
  private func label(of bin: Int, _ factor: Int, _ power: Int) -> String {
    let lower = Self.bound(bin, factor, power)
    if isWhole, power == 0, factor == 1 { return lower }
    if isWhole, power >= 0, let next = Int(Self.bound(bin + 1, factor, power)) { return "\(lower) to \(next - 1)" }
    return "\(lower) to \(Self.bound(bin + 1, factor, power))"
  }

  /// `bin * factor * 10^power` in exact decimal digits.
  private static func bound(_ bin: Int, _ factor: Int, _ power: Int) -> String {
    let (product, overflows) = bin.multipliedReportingOverflow(by: factor)
    guard !overflows, product != 0 else { return overflows ? "\(Double(bin) * Double(factor))" : "0" }
    guard power < 0 else {
      return power > 15 ? "\(product)e\(power)" : String(product) + String(repeating: "0", count: power)
    }
    guard power >= -15 else { return "\(product)e\(power)" }
    var digits = String(product.magnitude)
    digits = String(repeating: "0", count: max(0, 1 - power - digits.utf8.count)) + digits
    return (product < 0 ? "-" : "") + digits.dropLast(-power) + "." + digits.suffix(-power)
  }

  private static func text(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? "\(number)" }
}
