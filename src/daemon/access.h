/* What may be asked over TCP by somebody who has not signed in. All that is not named here needs a
 * token or a session. */
#ifndef BL_DAEMON_ACCESS_H
#define BL_DAEMON_ACCESS_H

enum bl_access {
    BL_ACCESS_KNOWN, /* by those who are known alone */
    BL_ACCESS_VIEW,  /* by everybody where the configuration opens the view: web.public */
    BL_ACCESS_OPEN   /* by everybody: the page's own files, and signing in */
};

enum bl_access bl_access_of(const char *method, const char *path);

#endif
