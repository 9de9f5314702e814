import AdapterSupport
import BackendTestSupport
import Testing

@Suite struct JSONPlaceholderReadingTests {
  @Test(arguments: rows) func reads(_ row: CallRow) async throws {
    try await row.check(PluginLibrary("jsonplaceholder").plugin)
  }

  static let rows = CallRow.rows(
    #"""
    # a record comes whole, its fields in the order of the server; requests ask for JSON, never with validators
    get todos/3
      > GET /todos/3  > Accept: application/json  > If-None-Match:  > Cache-Control:
      < 200 {"userId":1,"id":3,"title":"t","completed":false}
      = 3 {"userId":1,"id":3,"title":"t","completed":false}
    # an empty object with status 404 is no record
    each ID  999  01  abc  1%2F2  %3F  %2531  10%20
    get todos/{ID}  > GET /todos/{ID}  < 404 {}  ! notFound rejected
    # identifiers are numbers or texts, compared as texts and encoded in paths
    list todos  < 200 [{"id":"a/b é","title":"x"},{"id":7,"title":"y"}]  = a/b é 7; total 2
    get todos/a%2Fb%20%C3%A9
      > GET /todos/a%2Fb%20%C3%A9  < 200 {"id":"a/b é","title":"x"}  = a/b é {"id":"a/b é","title":"x"}
    # fields of unexpected kinds, nulls, missing and further fields stay as they came
    each FIELDS  "userId":"1","title":null,"completed":1  "completed":"true"  "extra":{"a":[1.10,90071992547409931]}
    records todos  < 200 [{"id":1,{FIELDS}}]  = 1 {"id":1,{FIELDS}}; total 1
    # a list below a record holds that record's own
    list users/2/todos --size 5  > GET /users/2/todos?_page=1&_limit=5  < 200 [{"id":21,"userId":2}]  = 21; total 1
    # a list below a record that is not there is not found, though the server answers with an empty list
    list users/999/todos
      > GET /users/999/todos  > GET /users/999  > GET /users?_page=1&_limit=1  > GET /users/1
      < 200 []  < 404 {}  < 200 [{"id":1}]  < 200 {"id":1}
      ! notFound rejected
    # a record of another owner is not found below this one
    get users/1/todos/1   > GET /todos/1   < 200 {"id":1,"userId":1}   = 1 {"id":1,"userId":1}
    get users/1/todos/30  > GET /todos/30  < 200 {"id":30,"userId":2}  ! notFound rejected
    # a resource that cannot exist is refused before anything is sent
    each PATH  users/1/nope  nope/1/todos  todos/1/users  users/1/posts/1/comments
    list {PATH}  ! unsupported notSent
    # another record is not the one asked for
    get todos/1  < 200 {"id":2,"title":"other"}  ! badResponse rejected
    # a further collection is named by an option, and described by a sample
    prepare {"collections":"books, films"}
    describe known        = json-server 0.17, 0.17: todos posts comments albums photos users books films
    describe known books  = unknown: ; ...
    describe live books
      > GET /db  > GET /books?_page=1&_limit=1  > GET /films?_page=1&_limit=1
      < 404 {}  < 200 [{"id":"a","title":"x","pages":3}]  < 404 {}
      = sample: id text, title text, pages number; ...
    get books/a  < 200 {"id":"a"}  = a {"id":"a"}
    list films  < 404 {}  ! notFound rejected
    # six collections are described without a request, with their children
    describe known        = json-server 0.17, 0.17: todos posts comments albums photos users
    describe known users  = ...; deletes todos posts albums orphans by Id; children todos posts albums; embeds todos posts albums
    describe known todos  = adapter: userId integer of users, id any, title text, completed boolean; ...
    # an option with another value is refused
    prepare {"apiVersion":"2"}  ! misconfigured notSent
    prepare {"writes":"maybe"}  ! misconfigured notSent
    # any collection is listed, read and written without asking what there is
    prepare {"writes":"kept"}
    list customers                     > GET /customers  < 200 [{"id":1},{"id":2}]  = 1 2; total 2
    get customers/1                    > GET /customers/1  < 200 {"id":1,"name":"Ana"}  = 1 {"id":1,"name":"Ana"}
    create customers {"name":"Cy"}
      > GET /customers?_page=1&_limit=1  > POST /customers {"name":"Cy"}
      < 200 [{"id":1}]  < 201 {"name":"Cy","id":3}
      = 3 {"name":"Cy","id":3}
    update customers/3 {"name":"Di"}   > PATCH /customers/3 {"name":"Di"}  < 200 {"name":"Di","id":3}  = 3 {"name":"Di","id":3}
    delete customers/3                 > DELETE /customers/3  < 200 {}  = 3
    # a collection that the server does not have is not found
    list nope  < 404 {}  ! notFound rejected: ...; hint: ...
    # a live description knows every collection by the whole database, which is requested once
    describe live
      > GET /db
      < 200 {"customers":[{"id":1,"name":"Ana"}],"empty":[],"profile":{"name":"typicode","dark":true}}
      = json-server 0.17, 0.17: todos posts comments albums photos users customers empty profile
    # the fields of a collection are those of its records
    each DB  {"customers":[{"id":1,"age":3,"companyId":7},{"id":2,"name":"A","age":"x","vip":true}],"companies":[],"me":{"a":1}}
    describe live customers  < 200 {DB}
      = sample: id number, age any, companyId number of companies, name text, vip boolean
      ; list get create update delete; total; clears; takes identifiers; unknown; deletes orphans by Id
    describe live companies  < 200 {DB}  = unknown: ; ...
    describe live me         < 200 {DB}  = sample: a number; list get update; total; ...
    # a database that cannot be read leaves what is known, and a note has the reason
    each STATUS  404  403
    describe live  < {STATUS} {}
      = json-server 0.17, 0.17: todos posts comments albums photos users; note: ...status {STATUS}...
    # a response that is no database, and a server that fails, are errors
    each BODY  {"a":[1,  <html></html>  []  {"hello":"world"}
    describe live  < 200 {BODY}  ! badResponse rejected
    describe live  < 500 {}      ! badResponse rejected
    # of a database with more members than can be shown the first thousand count
    describe live todos
      < 200 {\#((0..<1_100).map { #""c\#($0)":[]"# }.joined(separator: ",")),"todos":{"a":1}}
      = adapter: userId integer of users, id any, title text, completed boolean; ...
    # json-server 1 has no address of the database, and is not asked for it
    prepare {"apiVersion":"1"}
    describe live  = json-server 1, 1: todos posts comments albums photos users
    # a single record is read and changed at its own address
    prepare {"writes":"kept","records":"profile"}
    get profile  > GET /profile  < 200 {"name":"typicode","dark":true}  = sole {"name":"typicode","dark":true}
    list profile  > GET /profile  < 200 {"name":"typicode","dark":true}  = sole; total 1
    plan profile dark=true --param a=b  = GET /profile?a=b; ...
    update profile {"name":"x"}
      > PATCH /profile {"name":"x"}  < 200 {"name":"x","dark":true}  = sole {"name":"x","dark":true}
    update profile -dark
      > GET /profile  > PUT /profile {"name":"x"}
      < 200 {"name":"x","dark":true}  < 200 {"name":"x"}
      = sole {"name":"x"}...
    delete profile      ! unsupported notSent
    delete all profile  ! unsupported notSent
    # so is one that nobody declared, once it has been read
    prepare {"writes":"kept"}
    get profile  > GET /profile  < 200 {"name":"typicode"}  = sole {"name":"typicode"}
    update profile {"name":"x"}
      > GET /profile  > PATCH /profile {"name":"x"}  < 200 {"name":"typicode"}  < 200 {"name":"x"}  = sole {"name":"x"}
    delete all profile  ! unsupported notSent
    # a create never replaces a single record
    create profile {"name":"x"}  > GET /profile?_page=1&_limit=1  < 200 {"name":"typicode"}  ! invalid notSent
    prepare {"records":"profile"}
    create profile {"name":"x"}  ! unsupported notSent
    # a collection is not taken for a single record
    prepare {"writes":"kept"}
    get customers                 > GET /customers  < 200 [{"id":1}]  ! invalid rejected: customers has many records; hint: ...
    update customers {"name":"x"}  > GET /customers  < 200 [{"id":1}]  ! invalid rejected: customers has many records; hint: ...
    """#)
}
