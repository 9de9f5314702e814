/// A script in the place of `secret-tool`, for machines without a keyring. Items are files beside it, named by service and account;
/// it prints what secret-tool of libsecret 0.20 does.
public enum KeyringProgram {
  /// The name of the program.
  public static let name = "secret-tool"

  /// The script. `calls` beside it gets the arguments of each call; files called `locked`, `says` and `hangs` make it fail.
  public static let text = #"""
    #!/bin/sh
    cd "$(dirname "$0")"
    echo "$*" >> calls
    verb=$1; shift
    case $1 in --label=*) shift;; esac
    [ "$1 $3" = "service username" ] || exit 9
    item="$2 $4"
    [ ! -e says ] || { cat says >&2; exit 1; }
    [ ! -e hangs ] || exec cat fifo
    case $verb in
    search) [ ! -e "$item" ] || echo "[/1]"; exit 0;;
    *) [ ! -e locked ] || exit 1;;
    esac
    case $verb in
    lookup) [ -e "$item" ] && exec cat "$item";;
    store) exec cat > "$item";;
    clear) exec rm "$item" 2> /dev/null;;
    esac
    """#
}
