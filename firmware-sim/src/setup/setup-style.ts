/** The style sheet of a board's own pages. It is inline, because in setup mode there is no network to load it from. */
export const setupStyle = `
:root {
  color-scheme: light dark;
  --page: light-dark(oklch(0.972 0.006 85), oklch(0.175 0.018 268));
  --card: light-dark(oklch(1 0 0), oklch(0.228 0.02 268));
  --well: light-dark(oklch(0.955 0.007 85), oklch(0.272 0.022 268));
  --line: light-dark(oklch(0.25 0.02 268 / 0.1), oklch(1 0 0 / 0.09));
  --edge: light-dark(oklch(0.25 0.02 268 / 0.46), oklch(1 0 0 / 0.4));
  --text: light-dark(oklch(0.24 0.02 268), oklch(0.965 0.008 90));
  --text-2: light-dark(oklch(0.45 0.02 268), oklch(0.77 0.014 268));
  --accent: light-dark(oklch(0.5 0.17 275), oklch(0.74 0.12 283));
  --accent-ink: light-dark(oklch(0.99 0 0), oklch(0.2 0.03 268));
  --ok: light-dark(oklch(0.53 0.13 155), oklch(0.78 0.14 155));
  --danger: light-dark(oklch(0.52 0.2 25), oklch(0.74 0.16 22));
  --danger-soft: light-dark(oklch(0.52 0.2 25 / 0.08), oklch(0.74 0.16 22 / 0.13));
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: 28px 16px 56px; background: var(--page); color: var(--text);
  font: 16px/1.5 "Inter Variable", Inter, "Noto Sans Devanagari", system-ui, sans-serif; -webkit-text-size-adjust: 100%;
}
main { max-width: 480px; margin: 0 auto; }
.board { display: block; width: 132px; height: auto; margin: 0 auto 20px; color: var(--text-2); }
h1 { margin: 0; font-size: 28px; line-height: 1.2; letter-spacing: -0.015em; text-align: center; text-wrap: balance; }
.lead { margin: 8px 0 4px; color: var(--text-2); text-align: center; text-wrap: balance; }
.mac { margin: 0 0 28px; color: var(--text-2); font-size: 14px; text-align: center; font-variant-numeric: tabular-nums; }
fieldset, .card {
  margin: 0 0 16px; padding: 20px; border: 1px solid var(--line); border-radius: 20px; background: var(--card); box-shadow: 0 1px 2px oklch(0.3 0.03 268 / 0.05);
  min-width: 0;
}
legend { float: left; width: 100%; margin: 0 0 12px; padding: 0; font-weight: 600; }
legend + * { clear: both; }
.field { margin: 0 0 16px; min-width: 0; }
.field:last-child { margin-bottom: 0; }
label { display: block; margin: 0 0 6px; font-size: 14px; font-weight: 600; }
input, select {
  display: block; width: 100%; min-height: 48px; padding: 10px 14px; border: 1px solid var(--edge); border-radius: 12px;
  background: var(--well); color: inherit; font: inherit;
}
input:focus-visible, select:focus-visible, button:focus-visible, summary:focus-visible, a:focus-visible {
  outline: 3px solid var(--accent); outline-offset: 2px;
}
[aria-invalid="true"] { border-color: var(--danger); background: var(--danger-soft); }
.hint { margin: 6px 0 0; color: var(--text-2); font-size: 14px; }
.fault { margin: 6px 0 0; color: var(--danger); font-size: 14px; font-weight: 600; }
.pair { display: grid; grid-template-columns: minmax(0, 1fr) 112px; gap: 12px; margin: 0 0 16px; }
.pair:last-child { margin-bottom: 0; }
.pair .field { margin: 0; }
details.card { padding: 8px 20px; }
details.card[open] { padding-bottom: 20px; }
details > summary { min-height: 44px; display: flex; align-items: center; cursor: pointer; font-weight: 600; border-radius: 12px; }
details > summary::before { content: ""; width: 8px; height: 8px; margin: 0 12px 0 4px; border: solid currentColor; border-width: 0 2px 2px 0; transform: rotate(-45deg); }
details[open] > summary::before { transform: rotate(45deg) translate(-2px, -2px); }
details[open] > summary { margin-bottom: 12px; }
button {
  width: 100%; min-height: 52px; border: 0; border-radius: 14px; background: var(--accent); color: var(--accent-ink); font: inherit; font-weight: 600; cursor: pointer;
}
.faults { border-color: var(--danger); background: var(--danger-soft); }
.faults h2, .next h2 { margin: 0 0 8px; font-size: 16px; }
.faults ul { margin: 0; padding-left: 20px; }
.faults a { color: inherit; }
.tick { display: block; width: 72px; height: 72px; margin: 12px auto 20px; color: var(--ok); }
.next ol { margin: 0; padding-left: 22px; }
.next li { margin: 8px 0; padding-left: 4px; overflow-wrap: anywhere; }
.next p { margin: 16px 0 0; color: var(--text-2); font-size: 14px; }
.left { margin: 12px 0 0; color: var(--text-2); font-size: 14px; text-align: center; }
`
