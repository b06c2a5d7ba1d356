/** Of the system, of Node and CI, and what tells the tests how to run; everything else is a setting of some product. */
const names = new Set(
  [
    'PATH PATHEXT HOME USER LOGNAME SHELL TMPDIR TMP TEMP TERM COLORTERM TZ PWD CI COLUMNS LINES NO_COLOR FORCE_COLOR',
    'DISPLAY LD_LIBRARY_PATH SSL_CERT_FILE NODE NODE_OPTIONS NODE_ENV NODE_COMPILE_CACHE NODE_EXTRA_CA_CERTS',
    // Windows starts no process without these.
    'SYSTEMROOT WINDIR COMSPEC APPDATA LOCALAPPDATA USERPROFILE HOMEDRIVE HOMEPATH',
    'CHROME_PATH TEST_DB CRASH_ROUNDS MODEL_RUNS PROFILE_DIR NODE_V8_COVERAGE'
  ].flatMap((line) => line.split(' '))
)
const families = /^(npm_|LC_|LANG|VITEST|TINYPOOL|GITHUB_|RUNNER_|XDG_|TURBO_|(http|https|no)_proxy$)/i

/** Whether a variable of the environment may reach what the tests start. */
export const isOfTheSystem = (name: string): boolean => names.has(name.toUpperCase()) || families.test(name)
