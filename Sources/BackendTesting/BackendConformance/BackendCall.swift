public import BackendKit

/// A call of a ``Backend`` with its arguments, as a value.
public enum BackendCall: Sendable, Hashable {
  /// ``Backend/describe(_:)``.
  case describe(DescriptionDepth)
  /// ``Backend/plan(_:)``.
  case plan(ListQuery)
  /// ``Backend/list(_:at:to:)``, without the sink.
  case list(ListQuery, at: Cursor?)
  /// ``Backend/get(_:from:)``.
  case get(RecordID, from: ResourcePath)
  /// ``Backend/create(_:in:)``.
  case create(Object, in: ResourcePath)
  /// ``Backend/update(_:in:changes:revision:)``.
  case update(RecordID, in: ResourcePath, changes: [Change], revision: String?)
  /// ``Backend/delete(_:from:revision:)``.
  case delete(Deletion, from: ResourcePath, revision: String? = nil)
  /// ``Backend/act(_:on:in:with:)``.
  case act(String, on: RecordID?, in: ResourcePath, with: Object)
}
