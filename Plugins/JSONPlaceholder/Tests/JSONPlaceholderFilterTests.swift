import AdapterSupport
import BackendTestSupport
import Testing

@Suite struct JSONPlaceholderFilterTests {
  @Test(arguments: rows) func filters(_ row: CallRow) async throws {
    try await row.check(PluginLibrary("jsonplaceholder").plugin)
  }

  static let rows = CallRow.rows(
    #"""
    # a condition that the server loses nothing of is sent
    plan todos userId=1            = GET /todos?userId=1; superset
    plan todos userId=1.0          = GET /todos?userId=1.0&userId=1; superset
    plan todos userId=1e1          = GET /todos?userId=1e1&userId=10; superset
    plan todos userId=:1           = GET /todos?userId=1; superset
    plan todos completed=true      = GET /todos?completed=true; superset
    plan todos completed=:false    = GET /todos?completed=false; superset
    plan todos title="a+b&c=d#[é"  = GET /todos?title=a%2Bb%26c%3Dd%23%5B%C3%A9; superset
    plan todos id>=10              = GET /todos?id_gte=10; superset
    plan todos id>10               = GET /todos?id_gte=10; superset
    plan todos id<=:10             = GET /todos?id_lte=10; superset
    plan todos id<1e2              = GET /todos?id_lte=1e2; superset
    plan todos title<"n"           = GET /todos?title_lte=n; superset
    plan todos title~a.b[c         = GET /todos?title_like=a%5C.b%5C%5Bc; superset
    # a condition that the server might lose a match of is left to the console
    each FILTER  nope=1  nope>1  title.x=1  userId!=1  userId=1.5  userId=:null  title=  title~  completed>false  title<"！"
    each FILTER  title>"😀"
    each FILTER  id=9007199254740993  id~:1
    plan todos {FILTER}  = GET /todos; not
    # null, missing, not and or are left to the console
    each FILTER  null(title)  missing(title)  not(userId=1)  or(userId=1,id=2)  in(title,"a",:null)  in(title)
    plan todos {FILTER}  = GET /todos; not
    # one of several is sent by repeating the field, and of an and what can be sent
    plan todos in(id,3,:5)                    = GET /todos?id=3&id=5; superset
    plan todos and(userId=1,title!=x)      = GET /todos?userId=1; superset
    # a second condition on a field is not sent, since repeating it would mean or
    plan todos id=3 id=5                   = GET /todos?id=3; superset not
    # on a nested collection the owner's field is not sent, since the server overwrites it
    plan users/1/todos userId=2            = GET /users/1/todos; not
    # nested fields of users are sent
    plan users address.city="Basel"        = GET /users?address.city=Basel; superset
    # ignoring case, an equality becomes an anchored pattern
    plan todos title="Milk (1)" --ignore-case
      = GET /todos?title_like=%5E%28%3F%3AM%5Bi%C4%B0%5Dl%5Bk%E2%84%AA%5D%20%5C%281%5C%29%29%24; superset
    plan todos title~"É" --ignore-case     = GET /todos; not
    # a search is sent, but not one that the server lowers otherwise
    plan todos --search "a b"              = GET /todos?q=a%20b; search superset
    plan todos --search ΟΔΟΣ               = GET /todos; search not
    # a native query is sent as it stands, but may not page
    plan todos --native "id_ne=1&id_lte=3"  = GET /todos?id_ne=1&id_lte=3
    list todos --native "id_ne=1&id_lte=3"  > GET /todos?id_ne=1&id_lte=3  < 200 [{"id":2},{"id":3}]  = 2 3; total 2
    list todos --native "_page=2"           ! invalid notSent
    """#)
}
