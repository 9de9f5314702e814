import BackendKit

/// The members of a carried object, read by name.
struct CarriedMembers {
  private let type: String
  private let members: Object

  init(_ value: Value, of type: String) throws(BackendError) {
    guard let members = value.object else { throw .uncarried(value, type) }
    self.type = type
    self.members = members
  }

  /// The name of the first member, which tells the forms of an enumeration apart.
  var form: String { members.names.first ?? "" }

  func read<Read: CarriedCoding>(_ name: String) throws(BackendError) -> Read {
    guard let value = members[name] else { throw missing(name) }
    return try Read(carried: value)
  }

  func readIfThere<Read: CarriedCoding>(_ name: String) throws(BackendError) -> Read? {
    guard let value = members[name] else { return nil }
    return try Read(carried: value)
  }

  func unknownForm() -> BackendError {
    BackendError(.badResponse, "the carrier brought a \(type) of the unknown form \"\(form)\"", effect: .unknown)
  }

  private func missing(_ name: String) -> BackendError {
    BackendError(.badResponse, "the carrier brought a \(type) without \"\(name)\"", effect: .unknown)
  }
}

extension Value {
  /// An object of these members; what is nil has none.
  static func carrying(_ members: KeyValuePairs<String, (any CarriedCoding)?>) -> Value {
    var object = Object()
    for (name, value) in members { object[name] = value?.carried }
    return .object(object)
  }
}
