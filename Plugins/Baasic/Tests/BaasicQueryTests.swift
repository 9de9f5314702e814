import AdapterSupport
import BackendTestSupport
import Testing

@Suite struct BaasicQueryTests {
  @Test(arguments: rows) func queries(_ row: CallRow) async throws {
    try await row.check(PluginLibrary("baasic").plugin)
  }

  static let rows = CallRow.rows(
    #"""
    # a condition that nothing is lost of is asked in quotes
    prepare {"resources":{"todo":{"title":"text","isComplete":"boolean","count":"integer","weight":"number",
      "scheduledDate":"date","tags":"list","order":"text"}}}
    plan todo title=milk  = GET /resources/todo?page=1&rpp=100&searchQuery=WHERE%20%22title%22%20%3D%20%27milk%27; superset
    plan todo title="5"  = GET /resources/todo?page=1&rpp=100&searchQuery=WHERE%20%22title%22%20%3D%20%275%27; superset
    plan todo title="it's' OR 1=1 --"
      = GET /resources/todo?page=1&rpp=100
        &searchQuery=WHERE%20%22title%22%20%3D%20%27it%27%27s%27%27%20OR%201%3D1%20--%27; superset
    plan todo order="x"  = GET /resources/todo?page=1&rpp=100&searchQuery=WHERE%20%22order%22%20%3D%20%27x%27; superset
    plan todo title~50%_a'b
      = GET /resources/todo?page=1&rpp=100&searchQuery=WHERE%20%22title%22%20LIKE%20%27%2550%25_a%27%27b%25%27; superset
    plan todo title~"a[b]\\^c"
      = GET /resources/todo?page=1&rpp=100&searchQuery=WHERE%20%22title%22%20LIKE%20%27%25a%25b%25%25%25c%25%27; superset
    plan todo count>:5  = GET /resources/todo?page=1&rpp=100&searchQuery=WHERE%20%22count%22%20%3E%205; superset
    plan todo count=:5  = GET /resources/todo?page=1&rpp=100&searchQuery=WHERE%20%22count%22%20%3D%205; superset
    plan todo weight<=:-5  = GET /resources/todo?page=1&rpp=100&searchQuery=WHERE%20%22weight%22%20%3C%3D%20-5; superset
    plan todo isComplete=:true  = GET /resources/todo?page=1&rpp=100&searchQuery=WHERE%20%22isComplete%22%20%3D%20true; superset
    # a condition that the server might lose a match of is the console's
    prepare {"resources":{"todo":{"title":"text","isComplete":"boolean","count":"integer","weight":"number",
      "scheduledDate":"date","tags":"list","order":"text"}}}
    each FILTER  nope=x  id=x  title.x=x  title!=x  title=5  title=true  title=  title="a\nb"  title="2017-10-03"  title~1
    each FILTER  title>x
    each FILTER  title=:5  count=5  count="5"  count~5  weight>:1e400  isComplete=true  isComplete>:false  scheduledDate=x  tags~x
    each FILTER  not(title="a")  null(title)  missing(title)  or()  and()  or(title="a",title!="a")  title=milk --ignore-case
    plan todo {FILTER}  = GET /resources/todo?page=1&rpp=100; not
    # conditions are joined, and an or is asked whole or not at all
    prepare {"resources":{"todo":{"title":"text","isComplete":"boolean","count":"integer","weight":"number",
      "scheduledDate":"date","tags":"list","order":"text"}}}
    plan todo title="a" title!="a" count<:3
      = GET /resources/todo?page=1&rpp=100
        &searchQuery=WHERE%20%22title%22%20%3D%20%27a%27%20AND%20%22count%22%20%3C%203; superset not superset
    plan todo or(title="a",count<:3)
      = GET /resources/todo?page=1&rpp=100
        &searchQuery=WHERE%20%28%22title%22%20%3D%20%27a%27%20OR%20%22count%22%20%3C%203%29; superset
    plan todo and(title="a",title!="a")
      = GET /resources/todo?page=1&rpp=100&searchQuery=WHERE%20%28%22title%22%20%3D%20%27a%27%29; superset
    plan todo in(title,"a","b'")
      = GET /resources/todo?page=1&rpp=100
        &searchQuery=WHERE%20%28%22title%22%20%3D%20%27a%27%20OR%20%22title%22%20%3D%20%27b%27%27%27%29; superset
    # without known fields nothing is asked but pages
    plan todo title=milk  = GET /resources/todo?page=1&rpp=100; not
    # where the server holds records to their schema, words are taken for what the schema says
    describe live
      < 200 {"item":[{"name":"Todo","enforceSchemaValidation":true,"schema":{"properties":{"count":{"type":"integer"}}}}],
        "totalRecords":1,"recordsPerPage":100}
    plan todo count=5  = GET /resources/todo?page=1&rpp=100&searchQuery=WHERE%20%22count%22%20%3D%205; superset
    # a search is the console's, so that no text of it becomes a query
    each TEXT  "WHERE 1=1"  "select x"  milk
    plan todo --search {TEXT}  = GET /resources/todo?page=1&rpp=100; search not
    # a native query is passed on as it is, encoded, and no condition beside it
    prepare {"resources":{"todo":{"title":"text","isComplete":"boolean","count":"integer","weight":"number",
      "scheduledDate":"date","tags":"list","order":"text"}}}
    plan todo title=milk --native "WHERE title LIKE '%a+b|c%'"
      = GET /resources/todo?page=1&rpp=100&searchQuery=WHERE%20title%20LIKE%20%27%25a%2Bb%7Cc%25%27; not
    # a sort is the console's, unless the server's own order by one field is wanted
    plan todo --sort title                       = GET /resources/todo?page=1&rpp=100; sort not
    plan todo --sort title,count --server-order  = GET /resources/todo?page=1&rpp=100; sort not
    plan todo --sort a|desc --server-order       = GET /resources/todo?page=1&rpp=100; sort not
    # several keys that are known go into the query, behind the conditions, on each page
    prepare {"resources":{"todo":{"title":"text","isComplete":"boolean","count":"integer"}}}
    plan todo --sort title,-count --server-order
      = GET /resources/todo?page=1&rpp=100&searchQuery=ORDER%20BY%20%22title%22%20ASC%2C%20%22count%22%20DESC
    plan todo title=milk --sort -count,title --server-order
      = GET /resources/todo?page=1&rpp=100
        &searchQuery=WHERE%20%22title%22%20%3D%20%27milk%27%20ORDER%20BY%20%22count%22%20DESC%2C%20%22title%22%20ASC; superset
    pages todo --sort title,count --size 1 --server-order
      > GET /resources/todo?page=1&rpp=1&searchQuery=ORDER%20BY%20%22title%22%20ASC%2C%20%22count%22%20ASC
      > GET /resources/todo?page=2&rpp=1&searchQuery=ORDER%20BY%20%22title%22%20ASC%2C%20%22count%22%20ASC
      < 200 {"item":[{"id":"r1"}],"page":1,"recordsPerPage":1,"totalRecords":2}
      < 200 {"item":[{"id":"r2"}],"page":2,"recordsPerPage":1,"totalRecords":2}
      = r1 | r2; total 2
    plan todo --sort title,count             = GET /resources/todo?page=1&rpp=100; sort not
    each KEYS  title,id  title,nope  title,count.x
    plan todo --sort {KEYS} --server-order  = GET /resources/todo?page=1&rpp=100; sort not
    # known fields are asked for alone, with the identifier, and the others are marked as not loaded
    prepare {"resources":{"todo":{"title":"text","isComplete":"boolean","count":"integer","weight":"number",
      "scheduledDate":"date","tags":"list","order":"text"}}}
    records todo --fields title
      > GET /resources/todo?page=1&rpp=100&fields=id%2Ctitle
      < 200 {"item":[{"id":"a","title":"x"}],"totalRecords":1}
      = a {"id":"a","title":"x"}; unloaded isComplete count weight scheduledDate tags order; total 1
    plan todo --fields nope              = GET /resources/todo?page=1&rpp=100; fields not
    get todo/a --fields title
      > GET /resources/todo/a?fields=id%2Ctitle  < 200 {"id":"a","title":"x"}  = a {"id":"a","title":"x"}...
    get todo/a --fields title,other  > GET /resources/todo/a  < 200 {"id":"a","title":"x"}  = a {"id":"a","title":"x"}
    """#)
}
