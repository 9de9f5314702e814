import BackendClient
import BackendKit

/// The fate of fields that an update does not name.
enum Fate {
  case stay
  /// None stays, and some lost their value: the service has replaced the record.
  case lost
  /// Some stay, and others lost their value, possibly as a consequence of the update.
  case emptied
  /// Some have another value, possibly the default, or a consequence of the update.
  case altered

  var text: String {
    switch self {
    case .stay: "the others stay"
    case .lost: "others are gone"
    case .emptied: "some of the others are gone"
    case .altered: "others have another value"
    }
  }
  /// True if sending a single field may clear others.
  var isLoss: Bool { self == .lost || self == .emptied }
  var grade: SurveyClaim.Grade { self == .stay || self == .lost ? .proved : .likely }

  /// The fate of these fields; nil if there are none.
  static func of(_ names: [String], _ before: Object, _ after: Object) -> Fate? {
    guard !names.isEmpty else { return nil }
    let staying = names.count { after.keeps($0, of: before) }
    if staying == names.count { return .stay }
    guard names.contains(where: { (after[$0] ?? .null).isBlank }) else { return .altered }
    return staying == 0 ? .lost : .emptied
  }
}

extension Value {
  var isBlank: Bool { [.null, "", [], [:]].contains(self) }
}

extension Object {
  func keeps(_ name: String, of before: Object) -> Bool { (self[name] ?? .null).isSame(as: before[name] ?? .null) }
}
