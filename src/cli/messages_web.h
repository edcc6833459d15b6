/* Rows of the catalogue: the page. See messages.h. */
#ifndef BL_CLI_MESSAGES_WEB_H
#define BL_CLI_MESSAGES_WEB_H

/* clang-format off */
#define BL_MESSAGES_WEB(X) \
    X(HELP_WEB, "open the page, signed in: print a link that works once", "打开网页并登录：打印一次性链接") \
    X(ABOUT_WEB, "The link signs a browser in as you, once, within five minutes; whoever has it first is\nyou there. It is opened where there is a display. The daemon must listen on TCP:\nit does, on 127.0.0.1:7420, unless it was told otherwise (--http, listen.http) or the port is taken.\n\nFrom another machine: run it there behind a tunnel, and open what it prints. A browser\ncan sign in with a token as well.\n\nexamples:\n  baleen web\n  ssh -L 7420:127.0.0.1:7420 gpu-machine baleen web\n", "链接让浏览器以您的身份登录，仅一次、五分钟内有效；谁先打开，谁就是您。有显示环境时会\n自动打开。守护进程须监听 TCP：除非另有设置（--http、listen.http）\n或端口已被占用，它监听 127.0.0.1:7420。\n\n从另一台机器使用时：经隧道在那里运行，再打开其打印的链接。浏览器也可用令牌登录。\n\n示例：\n  baleen web\n  ssh -L 7420:127.0.0.1:7420 gpu-machine baleen web\n") \
    X(FLAG_NO_OPEN, "print the link only", "仅打印链接") \
    X(WEB_LINK, "it signs a browser in as you, once, until {1}; give it to nobody", "它让浏览器以您的身份登录，仅一次，有效至 {1}；切勿转给他人")
/* clang-format on */

#endif
