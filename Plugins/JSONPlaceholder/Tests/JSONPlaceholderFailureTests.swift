import AdapterSupport
import BackendTestSupport
import Testing

@Suite struct JSONPlaceholderFailureTests {
  @Test(arguments: rows) func failures(_ row: CallRow) async throws {
    try await row.check(PluginLibrary("jsonplaceholder").plugin)
  }

  static let rows = CallRow.rows(
    #"""
    # a read fails with the code of the status; of an error page it shows the first line, and nothing of the stack
    each CALL  get todos/1  list todos
    each PAGE  <!DOCTYPE html><pre>SyntaxError: &quot;x&quot; &lt;\n at /srv/node_modules/x.js</pre>
    {CALL}  < 400 {PAGE}  ! invalid rejected: ...: SyntaxError: "x" <
    {CALL}  < 404 {PAGE}  ! notFound rejected: ...: SyntaxError: "x" <...
    {CALL}  < 413 {PAGE}  ! invalid rejected: ...: SyntaxError: "x" <
    {CALL}  < 415 {PAGE}  ! misconfigured rejected: ...: SyntaxError: "x" <; hint: ...
    {CALL}  < 500 {PAGE}  ! badResponse rejected: ...: SyntaxError: "x" <; hint: ...
    {CALL}  < 302 {PAGE}  ! misconfigured rejected: ...: SyntaxError: "x" <; hint: ...
    {CALL}  < 304 {PAGE}  ! misconfigured rejected
    {CALL}  < 308 {PAGE}  ! misconfigured rejected: ...: SyntaxError: "x" <; hint: ...
    {CALL}  < 408 {PAGE}  ! timedOut rejected: ...: SyntaxError: "x" <; hint: ...
    {CALL}  < 421 {PAGE}  ! unavailable rejected: ...: SyntaxError: "x" <; hint: ...
    {CALL}  < 418 {PAGE}  ! badResponse rejected: ...: SyntaxError: "x" <
    # a create fails with the code of the status, and may have been made if no refusal is certain
    prepare {"writes":"kept"}
    each PAGE  <!DOCTYPE html><pre>SyntaxError: &quot;x&quot; &lt;\n at /srv/node_modules/x.js</pre>
    create todos {"a":1}  < 400 {PAGE}  ! invalid rejected: ...: SyntaxError: "x" <
    create todos {"a":1}  < 404 {PAGE}  ! notFound rejected: ...: SyntaxError: "x" <; hint: ...
    create todos {"a":1}  < 409 {PAGE}  ! alreadyExists rejected: ...: SyntaxError: "x" <
    create todos {"a":1}  < 413 {PAGE}  ! invalid rejected: ...: SyntaxError: "x" <
    create todos {"a":1}  < 415 {PAGE}  ! misconfigured rejected: ...: SyntaxError: "x" <; hint: ...
    create todos {"a":1}  < 500 {PAGE}  ! badResponse unknown: ...: SyntaxError: "x" <; hint: ...
    create todos {"a":1}  < 302 {PAGE}  ! badResponse unknown: ...: SyntaxError: "x" <; hint: ...
    create todos {"a":1}  < 304 {PAGE}  ! badResponse unknown
    create todos {"a":1}  < 308 {PAGE}  ! misconfigured rejected: ...: SyntaxError: "x" <; hint: ...
    create todos {"a":1}  < 408 {PAGE}  ! timedOut unknown: ...: SyntaxError: "x" <; hint: ...
    create todos {"a":1}  < 421 {PAGE}  ! unavailable rejected: ...: SyntaxError: "x" <; hint: ...
    create todos {"a":1}  < 418 {PAGE}  ! badResponse rejected: ...: SyntaxError: "x" <
    # the time to wait is passed on
    get todos/1  < 429  < Retry-After: 60  ! rateLimited rejected: ...; hint: retry after 60 s
    # a create that was accepted stays accepted if its response cannot be read
    prepare {"writes":"kept"}
    create todos {"title":"x"}  > POST /todos {"title":"x"}  < 201 <pre>SyntaxError</pre>  ! badResponse applied
    # a record whose response was cut is looked for where the server says that it is
    prepare {"writes":"kept"}
    create todos {"title":"x"}
      > POST /todos {"title":"x"}  > GET /todos/7
      < 201 {"title":"x",  < Location: http://localhost:3000/todos/7  < 200 {"id":7,"title":"x"}
      = 7 ...
    # another record at that address is not taken for it
    prepare {"writes":"kept"}
    each FOUND  {"id":7,"title":"of somebody else"}  {"id":8,"title":"x"}
    create todos {"title":"x"}
      > POST /todos {"title":"x"}  > GET /todos/7
      < 201 {"title":"x",  < Location: http://localhost:3000/todos/7  < 200 {FOUND}
      ! badResponse applied
    """#)
}
