import BackendKit

extension Dialect {
  /// The dialect of an answer to OPTIONS, with the mark that shows it; nil where none is known.
  static func recognized(options answer: ProbeResponse) -> (dialect: Dialect, mark: String)? {
    guard let object = answer.document?.object,
      ["name", "description", "renders", "parses"].allSatisfy({ object[$0] != nil }), object["parses"]?.array != nil
    else { return nil }
    return named("django-rest").map { ($0, "name, description, renders and parses") }
  }

  /// The dialect of a list response, with the mark that shows it; nil where none is known.
  static func recognized(_ answer: ProbeResponse) -> (dialect: Dialect, mark: String)? {
    func dialect(_ name: String, _ mark: String) -> (dialect: Dialect, mark: String)? {
      Dialect.named(name).map { ($0, mark) }
    }
    let object = answer.document?.object
    if answer.contentType.hasPrefix("application/vnd.api+json") || object?["jsonapi"]?.object != nil {
      return dialect("jsonapi", "its media type or the member jsonapi")
    }
    if object?["@odata.context"] != nil { return dialect("odata4", "@odata.context") }
    if object?["schemas"]?.array?.contains(where: { $0.text?.contains(text: "scim") == true }) == true {
      return dialect("scim2", "a SCIM schema in schemas")
    }
    if object?["_items"]?.array != nil { return dialect("eve", "_items") }
    if object?["results"]?.array != nil, object?["next"] != nil, object?["previous"] != nil {
      return dialect("django-rest", "next, previous and results")
    }
    if object?["data"]?.array != nil, object?["items"]?.integer != nil, object?["pages"] != nil, object?["first"] != nil
    {
      return dialect("json-server-1", "first, prev, next, last, pages and items")
    }
    if object?["data"]?.array != nil, object?["has_more"]?.bool != nil, object?["object"]?.text == "list" {
      return dialect("stripe", "object: list and has_more")
    }
    if object?["rows"]?.array != nil, object?["database"] != nil, object?["primary_keys"] != nil {
      return dialect("datasette", "database, rows and primary_keys")
    }
    if answer.header("Next-Page") != nil || (object?["data"]?.array != nil && answer.header("Total-Records") != nil) {
      return dialect("kinto", "the header Next-Page")
    }
    if object?["data"]?.array != nil,
      answer.header("Backoff") != nil || answer.header("ETag")?.dropFirst().first?.isNumber == true,
      answer.header("Last-Modified") != nil
    {
      return dialect("kinto", "the member data and the ETag of a list")
    }
    if object?["items"]?.array != nil, object?["perPage"]?.integer != nil, object?["totalItems"] != nil {
      return dialect("pocketbase", "items, perPage and totalItems")
    }
    if object?["_embedded"]?.object != nil, object?["page"]?.object?["totalElements"]?.integer != nil {
      return dialect("spring-data-rest", "_embedded and page.totalElements")
    }
    if object?["data"]?.array != nil, let meta = object?["meta"]?.object {
      if meta["filter_count"]?.integer != nil { return dialect("directus", "data and meta.filter_count") }
      if meta["pagination"]?.object?["pageSize"] != nil { return dialect("strapi", "data and meta.pagination") }
      if meta["current_page"]?.integer != nil, object?["links"]?.object != nil {
        return dialect("laravel", "data, links and meta.current_page")
      }
    }
    guard answer.document?.array != nil else { return nil }
    if answer.header("X-WP-Total") != nil { return dialect("wordpress", "the header X-WP-Total") }
    if answer.header("Content-Range") != nil, answer.header("Content-Range")?.contains("/") == true {
      return dialect("postgrest", "the header Content-Range")
    }
    if answer.header("X-Total-Count") != nil,
      answer.header("Access-Control-Expose-Headers")?.contains(text: "X-Total-Count") == true
    {
      return dialect("json-server", "the header X-Total-Count")
    }
    if answer.link("next") != nil { return dialect("link-header", "a Link header with rel=next") }
    return nil
  }
}
