package import BackendKit

// The keys that `add` writes and drift compares. A new one is added here and where it is read.

extension Key<String> {
  package static var pathsCollection: Self { Self("paths.collection") }
  package static var pathsItem: Self { Self("paths.item") }
  package static var listRequestIn: Self { Self("listRequest.in") }
  package static var listRequestParameter: Self { Self("listRequest.parameter") }
  package static var listRequestEncoding: Self { Self("listRequest.encoding") }
  package static var recordsLayout: Self { Self("records.layout") }
  package static var recordsRecordPath: Self { Self("records.recordPath") }
  package static var recordsValueField: Self { Self("records.valueField") }
  package static var recordsFieldsPath: Self { Self("records.fieldsPath") }
  package static var identifierField: Self { Self("identifier.field") }
  package static var identifierMember: Self { Self("identifier.member") }
  package static var identifierLink: Self { Self("identifier.link") }
  package static var identifierType: Self { Self("identifier.type") }
  package static var identifierPattern: Self { Self("identifier.pattern") }
  package static var pageStyle: Self { Self("page.style") }
  package static var pageParameter: Self { Self("page.parameter") }
  package static var pageField: Self { Self("page.field") }
  package static var pageRelativeTo: Self { Self("page.relativeTo") }
  package static var sizeParameter: Self { Self("size.parameter") }
  package static var sizeWhenTooLarge: Self { Self("size.whenTooLarge") }
  package static var endHasMore: Self { Self("end.hasMore") }
  package static var sortParameter: Self { Self("sort.parameter") }
  package static var sortDirection: Self { Self("sort.direction") }
  package static var sortDirectionParameter: Self { Self("sort.directionParameter") }
  package static var sortAscending: Self { Self("sort.ascending") }
  package static var sortDescending: Self { Self("sort.descending") }
  package static var projectionParameter: Self { Self("projection.parameter") }
  package static var searchParameter: Self { Self("search.parameter") }
  package static var createMethod: Self { Self("create.method") }
  package static var createReturns: Self { Self("create.returns") }
  package static var createIdentifier: Self { Self("create.identifier") }
  package static var createIdentifierPath: Self { Self("create.identifierPath") }
  package static var createBody: Self { Self("create.body") }
  package static var createWrap: Self { Self("create.wrap") }
  package static var updateMethod: Self { Self("update.method") }
  package static var updatePatchFormat: Self { Self("update.patchFormat") }
  package static var updateClear: Self { Self("update.clear") }
  package static var updateReturns: Self { Self("update.returns") }
  package static var updateWrap: Self { Self("update.wrap") }
  package static var updateBody: Self { Self("update.body") }
  package static var deleteMethod: Self { Self("delete.method") }
  package static var deleteOrphanSuffix: Self { Self("delete.orphanSuffix") }
  package static var revisionFrom: Self { Self("revision.from") }
  package static var revisionField: Self { Self("revision.field") }
  package static var persistenceKept: Self { Self("persistence.kept") }
  package static var fieldType: Self { Self("field.type") }
  package static var fieldReference: Self { Self("field.reference") }
  package static var fieldReadPath: Self { Self("field.readPath") }
  package static var fieldNote: Self { Self("field.note") }
}

extension Key<Bool> {
  package static var pathsReadable: Self { Self("paths.readable") }
  package static var recordsNullIsEmpty: Self { Self("records.nullIsEmpty") }
  package static var listsOmitsRecords: Self { Self("lists.omitsRecords") }
  package static var totalIgnoresConditions: Self { Self("total.ignoresConditions") }
  package static var createLocation: Self { Self("create.location") }
  package static var createReadsFirst: Self { Self("create.readsFirst") }
  package static var createAtCollection: Self { Self("create.atCollection") }
  package static var updateAtCollection: Self { Self("update.atCollection") }
  package static var updateKeepsNull: Self { Self("update.keepsNull") }
  package static var updateReadBack: Self { Self("update.readBack") }
  package static var updateAtomic: Self { Self("update.atomic") }
  package static var deleteSoft: Self { Self("delete.soft") }
  package static var deleteReadsFirst: Self { Self("delete.readsFirst") }
  package static var revisionWeak: Self { Self("revision.weak") }
  package static var revisionRequired: Self { Self("revision.required") }
  package static var revisionOnDelete: Self { Self("revision.onDelete") }
  package static var fieldRequired: Self { Self("field.required") }
  package static var fieldReadOnly: Self { Self("field.readOnly") }
  package static var fieldSecret: Self { Self("field.secret") }
  package static var fieldRestrictedValues: Self { Self("field.restrictedValues") }
  package static var fieldNullable: Self { Self("field.nullable") }
}

extension Key<Int> {
  package static var pageFirst: Self { Self("page.first") }
  package static var sizeDefault: Self { Self("size.default") }
  package static var sizeMinimum: Self { Self("size.minimum") }
  package static var sizeMaximum: Self { Self("size.maximum") }
  package static var fieldMaximumLength: Self { Self("field.maximumLength") }
}

extension Key<[String]> {
  /// The sections of a resource that nobody has verified.
  package static var likely: Self { Self("likely") }
  package static var recordsNotFields: Self { Self("records.notFields") }
  package static var identifierFields: Self { Self("identifier.fields") }
  package static var listsOmit: Self { Self("lists.omit") }
  package static var sortFields: Self { Self("sort.fields") }
  package static var createDrop: Self { Self("create.drop") }
  package static var updateDrop: Self { Self("update.drop") }
  package static var operationsBelow: Self { Self("operationsBelow") }
  package static var fieldLikely: Self { Self("field.likely") }
}

extension Key<[Int]> {
  package static var revisionConflictStatuses: Self { Self("revision.conflictStatuses") }
}

extension Key<Object> {
  package static var pageNext: Self { Self("page.next") }
  package static var errorsFields: Self { Self("errors.fields") }
}

extension Key<Value> {
  package static var recordsListPath: Self { Self("records.listPath") }
  package static var errorsMessage: Self { Self("errors.message") }
  package static var errorsCode: Self { Self("errors.code") }
  package static var errorsMappings: Self { Self("errors.errorMappings") }
}

extension Key<[Value]> {
  package static var fieldValues: Key<[Value]> { Self("field.values") }
}
