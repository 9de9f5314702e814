/// The values of all switches for one request.
package struct Settings: Sendable {
  /// An unknown switch or value, with the known ones.
  package struct Refusal: Error, Sendable, CustomStringConvertible {
    package var description: String
  }

  /// All switches, in the order of their listing.
  let switches: [Switch]
  private let places: [String: Int]
  private var values: [String]

  init(_ switches: [Switch]) {
    self.switches = switches
    places = Dictionary(
      switches.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
    values = switches.map(\.standard)
  }

  /// A list of the switches for people, with their values and effects.
  package var listing: String {
    switches
      .map { "\($0.name)=\($0.valuesText)\n    \($0.help) (default: \($0.standard))" }
      .joined(separator: "\n")
  }

  /// The value of a switch; empty for an unknown name.
  subscript(name: String) -> String {
    places[name].map { values[$0] } ?? ""
  }

  /// The value of a numeric switch.
  func number(_ name: String) -> Int { Int(self[name]) ?? 0 }

  /// Sets one switch from `name=value`.
  mutating func set(_ assignment: String) throws(Refusal) {
    let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      .map { Self.trimmed($0) }
    guard parts.count == 2 else { throw Refusal(description: "\"\(assignment)\" is not of the form NAME=VALUE.") }
    guard let place = places[parts[0]] else {
      let known = switches.map(\.name).joined(separator: ", ")
      throw Refusal(description: "There is no switch \"\(parts[0])\"; known are: \(known).")
    }
    guard switches[place].accepts(parts[1]) else {
      let known = switches[place].valuesText
      throw Refusal(description: "The switch \(parts[0]) does not take \"\(parts[1])\"; it takes: \(known).")
    }
    values[place] = parts[1]
  }

  /// Sets switches from a `Demo-Set` header, `name=value, name=value`.
  func with(header: String) throws(Refusal) -> Settings {
    var settings = self
    for assignment in header.split(separator: ",") where !Self.trimmed(assignment).isEmpty {
      try settings.set(Self.trimmed(assignment))
    }
    return settings
  }

  private static func trimmed(_ text: Substring) -> String {
    var characters = text
    while characters.first == " " || characters.first == "\t" { characters.removeFirst() }
    while characters.last == " " || characters.last == "\t" { characters.removeLast() }
    return String(characters)
  }
}
