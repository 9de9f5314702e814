import BackendKit
import ServiceDescription

// Findings of a survey that descriptions have no key for.

extension Key<String> {
  static var preset: Self { Self("preset") }
  static var document: Self { Self("document") }
  /// The place of the list according to the document.
  static var documentedList: Self { Self("document.records.at") }
  /// The type of a field according to the document.
  static func documentedType(of field: String) -> Self { Self("document.fields.\(field)") }
  /// The treatment of unknown parameters.
  static var unknown: Self { Self("unknown") }
  static var notFound: Self { Self("notFound") }
}

extension Key<Bool> {
  static var endShortPage: Self { Self("end.shortPage") }
  static var endEmptyPage: Self { Self("end.emptyPage") }
  static var endNoNext: Self { Self("end.noNext") }
  static var endRepeat: Self { Self("end.repeat") }
  /// True if an update keeps the fields that it does not name.
  static var updateMerges: Self { Self("update.merges") }
  static func ownerCreatesBelow(_ owner: String) -> Self { Self("owners.\(owner).createsBelow") }
}

extension Key<Int> {
  static var endStatus: Self { Self("end.status") }
}

extension Key<[String]> {
  /// Further fields that accept the condition.
  static var filterOthers: Self { Self("filter.others") }
}

extension Key<Value> {
  /// The word for OR between conditions.
  static var filterOr: Self { Self("filter.or") }
}

/// Whole sections; null if the service lacks the operation.
extension Key<Object> {
  static var create: Self { Self("create") }
  static var update: Self { Self("update") }
  static var delete: Self { Self("delete") }
  static var filters: Self { Self("filter") }
  static var total: Self { Self("total") }
  static func filter(_ comparison: String) -> Self { Self("filter.\(comparison)") }
  static func owner(_ name: String) -> Self { Self("owners.\(name)") }
  static func field(_ name: String) -> Self { Self("fields.\(name)") }
}
