import Synchronization

/// Collects the values of secret fields in the adapter's form, independent of their names on the wire: after received
/// values are decoded, and before sent ones are encoded.
public protocol SecretRegister: Sendable {
  /// Returns whether the values of a field are secrets.
  func declares(_ field: String) -> Bool

  /// Blanks values in everything shown or stored from now on.
  func see(_ values: [String])
}

extension SecretRegister {
  /// Registers the values of secret fields in an object, at any depth.
  func see(_ fields: Object) { see(fields.texts(under: declares)) }
}

/// Reports of an exchange that are held back until the response is released, since only its reader knows which of its
/// values are secrets.
public final class HeldReports: Sendable {
  private let reports = Mutex<[@Sendable () -> Void]>([])

  /// An empty list of reports.
  public init() {}

  deinit { for report in reports.withLock(\.self) { report() } }

  /// Adds a report to make once the response was read.
  public func add(_ report: @escaping @Sendable () -> Void) { reports.withLock { $0.append(report) } }
}

extension Object {
  /// The texts and numbers in members with matching names.
  fileprivate func texts(under isMeant: (String) -> Bool) -> [String] {
    members.flatMap { name, value in isMeant(name) ? value.texts : value.texts(under: isMeant) }
  }
}

extension Value {
  /// All texts and numbers in it.
  fileprivate var texts: [String] {
    switch self {
    case .null, .bool: []
    case .number(let number): [number.text]
    case .string(let text): [text]
    case .array(let elements): elements.flatMap(\.texts)
    case .object(let object): object.members.flatMap { $0.1.texts }
    }
  }

  fileprivate func texts(under isMeant: (String) -> Bool) -> [String] {
    switch self {
    case .null, .bool, .number, .string: []
    case .array(let elements): elements.flatMap { $0.texts(under: isMeant) }
    case .object(let object): object.texts(under: isMeant)
    }
  }
}
