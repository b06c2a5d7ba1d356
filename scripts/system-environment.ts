/** Variables of the system, Node and CI, and options of the tests. All others are settings of some product. */
const names = new Set(
  [
    'PATH PATHEXT HOME USER LOGNAME SHELL TMPDIR TMP TEMP TERM COLORTERM TZ PWD CI COLUMNS LINES NO_COLOR FORCE_COLOR',
    'DISPLAY LD_LIBRARY_PATH SSL_CERT_FILE NODE NODE_OPTIONS NODE_ENV NODE_COMPILE_CACHE NODE_EXTRA_CA_CERTS',
    // Windows cannot start a process without these.
    'SYSTEMROOT WINDIR COMSPEC APPDATA LOCALAPPDATA USERPROFILE HOMEDRIVE HOMEPATH',
    'CHROME_PATH TEST_DB CRASH_ROUNDS MODEL_RUNS PROFILE_DIR NODE_V8_COVERAGE'
  ].flatMap((line) => line.split(' '))
)
const families = /^(npm_|LC_|LANG|VITEST|TINYPOOL|GITHUB_|RUNNER_|XDG_|TURBO_|(http|https|no)_proxy$)/i

/** Tells whether an environment variable may be passed to the processes of the tests. */
export const isOfTheSystem = (name: string): boolean => names.has(name.toUpperCase()) || families.test(name)
