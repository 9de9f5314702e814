import BackendClient
import BackendKit

/// The fate of fields that a change has not named.
enum Fate {
  case stay
  /// None stays, and some have no value any more: the service has replaced the record.
  case lost
  /// Some stay, and others have no value any more, which may follow from what was changed.
  case emptied
  /// Some have another value, which may be that of a new record, or follow from what was changed.
  case altered

  var text: String {
    switch self {
    case .stay: "the others stay"
    case .lost: "others are gone"
    case .emptied: "some of the others are gone"
    case .altered: "others have another value"
    }
  }
  /// True if sending one field only may remove others.
  var isLoss: Bool { self == .lost || self == .emptied }
  var grade: SurveyClaim.Grade { self == .stay || self == .lost ? .proved : .likely }

  /// The fate of these fields; nil if there are none, which shows nothing.
  static func of(_ names: [String], _ before: Object, _ after: Object) -> Fate? {
    guard !names.isEmpty else { return nil }
    let staying = names.count { after.keeps($0, of: before) }
    if staying == names.count { return .stay }
    guard names.contains(where: { (after[$0] ?? .null).isBlank }) else { return .altered }
    return staying == 0 ? .lost : .emptied
  }
}

extension Value {
  /// True if it is null or empty.
  var isBlank: Bool { [.null, "", [], [:]].contains(self) }
}

extension Object {
  /// Returns whether a field has kept its value.
  func keeps(_ name: String, of before: Object) -> Bool { (self[name] ?? .null).isSame(as: before[name] ?? .null) }
}
