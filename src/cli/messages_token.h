/* Rows of the catalogue: tokens and the TCP port. See messages.h. */
#ifndef BL_CLI_MESSAGES_TOKEN_H
#define BL_CLI_MESSAGES_TOKEN_H

/* clang-format off */
#define BL_MESSAGES_TOKEN(X) \
    X(FLAG_SERVER, "a daemon's TCP port, with the token of BALEEN_TOKEN", "守护进程的 TCP 端口，使用 BALEEN_TOKEN 的令牌") \
    X(NO_SERVER_HINT, "is that daemon started with --http, and a tunnel to it up? --server HOST:PORT or BALEEN_SERVER names another", "该守护进程是否以 --http 启动、隧道是否已建立？用 --server HOST:PORT 或 BALEEN_SERVER 可另行指定") \
    X(E_SERVER_VALUE, "--server needs a value: HOST:PORT", "--server 需要一个值：HOST:PORT") \
    X(E_SERVER, "expected a server like 127.0.0.1:7420 or https://HOST, found '{1}'", "应为 127.0.0.1:7420 或 https://HOST 形式的服务器，却是 '{1}'") \
    X(H_SERVER, "give it with --server or BALEEN_SERVER", "用 --server 或 BALEEN_SERVER 给出") \
    X(E_SOCKET_AND_SERVER, "give --socket or --server, not both", "--socket 与 --server 只能给出一个") \
    X(E_TOKEN_TEXT, "{1}: expected a token like bl_7_…, found something else", "{1}：应为 bl_7_… 形式的令牌，却不是") \
    X(E_TOKEN_FILE_OPEN, "{1} can be read by others, so the token in it is not used", "{1} 可被他人读取，因此不使用其中的令牌") \
    X(H_TOKEN_FILE_OPEN, "chmod 600 it", "请执行 chmod 600") \
    X(HELP_TOKEN, "make, list and revoke tokens for the daemon's TCP port", "创建、列出和吊销守护进程 TCP 端口的令牌") \
    X(ABOUT_TOKEN, "A token acts as its user: 'read' looks, 'submit' also submits and changes that user's\njobs, 'admin' may all that root may. It is printed once and kept hashed. Revoking\nit closes what it has open. The client takes it from BALEEN_TOKEN, from the file\nnamed by BALEEN_TOKEN_FILE, or from ~/.config/baleen/token.\n\nexamples:\n  baleen token create --scope read --expires 30d --name dashboard\n  (umask 077; baleen token create --scope submit > ~/.config/baleen/token)\n  baleen --server 127.0.0.1:7420 q\n  baleen token revoke 3\n", "令牌代表其用户：read 只能查看，submit 还可提交并更改该用户的作业，admin 与 root\n权限相同。令牌仅打印一次，以散列保存；吊销会关闭其打开的连接。客户端依次从\nBALEEN_TOKEN、BALEEN_TOKEN_FILE 所指的文件或 ~/.config/baleen/token 取得令牌。\n\n示例：\n  baleen token create --scope read --expires 30d --name dashboard\n  (umask 077; baleen token create --scope submit > ~/.config/baleen/token)\n  baleen --server 127.0.0.1:7420 q\n  baleen token revoke 3\n") \
    X(FLAG_TOKEN_SCOPE, "read, submit or admin", "read、submit 或 admin") \
    X(FLAG_TOKEN_USER, "whom it acts as; default: you", "代表的用户；默认自己") \
    X(FLAG_TOKEN_EXPIRES, "30d, or 2027-01-31; default: never", "30d 或 2027-01-31；默认永不过期") \
    X(FLAG_TOKEN_NAME, "what it is for", "用途") \
    X(E_TOKEN_NO_SCOPE, "what may it do? --scope read, submit or admin", "权限是什么？--scope read、submit 或 admin") \
    X(H_TOKEN_NO_SCOPE, "read looks; submit also submits and changes jobs of its user; admin may all", "read 只能查看；submit 还可提交并更改其用户的作业；admin 可做一切") \
    X(H_TOKEN_NUMBER, "the number in 'baleen token list'", "'baleen token list' 中的编号") \
    X(E_TOKEN_USE, "expected create, list or revoke NUMBER", "应为 create、list 或 revoke 编号") \
    X(E_TOKEN_FLAGS, "--scope, --user, --expires and --name are for create", "--scope、--user、--expires 和 --name 用于 create") \
    X(TOKEN_MADE, "token {1}, scope {2}, acts as {3}{4}; it is shown this once: keep it in a file of yours alone, or in BALEEN_TOKEN", "令牌 {1}，权限 {2}，代表 {3}{4}；仅显示这一次：请存入仅自己可读的文件或 BALEEN_TOKEN") \
    X(TOKEN_UNTIL, ", until {1}", "，有效至 {1}") \
    X(TOKEN_REVOKED, "token {1}: revoked; what it had open is closed", "令牌 {1}：已吊销；其打开的连接已关闭") \
    X(TOKEN_NONE, "no tokens; 'baleen token create --scope read' makes one", "没有令牌；用 'baleen token create --scope read' 创建一个") \
    X(TOKEN_EXPIRED, "expired", "已过期")
/* clang-format on */

#endif
