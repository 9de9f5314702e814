import Synchronization

/// Learns the values of secret fields as an adapter has them, whatever a request or a response calls them: after the mapping of what was
/// received, before that of what is sent.
public protocol SecretRegister: Sendable {
  /// Returns whether the values of a field are secrets.
  func declares(_ field: String) -> Bool

  /// Takes values out of whatever is shown or kept from now on.
  func see(_ values: [String])
}

extension SecretRegister {
  /// Takes the values of secret fields in an object, at any depth.
  func see(_ fields: Object) { see(fields.texts(under: declares)) }
}

/// Reports of an exchange that wait until the response is let go of: only whoever reads it knows which of its values are secrets.
public final class HeldReports: Sendable {
  private let reports = Mutex<[@Sendable () -> Void]>([])

  /// None yet.
  public init() {}

  deinit { for report in reports.withLock(\.self) { report() } }

  /// Makes a report once the response was read.
  public func add(_ report: @escaping @Sendable () -> Void) { reports.withLock { $0.append(report) } }
}

extension Object {
  /// The texts and numbers in members with such names.
  fileprivate func texts(under isMeant: (String) -> Bool) -> [String] {
    members.flatMap { name, value in isMeant(name) ? value.texts : value.texts(under: isMeant) }
  }
}

extension Value {
  /// Every text and number in it.
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
