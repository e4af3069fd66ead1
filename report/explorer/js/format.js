// Numbers as people read them.

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

export function count(value) {
  return value === null || value === undefined ? "–" : whole.format(value);
}

export function fixed(value, digits = 2) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  return value.toFixed(digits).replace("-", "−");
}

export function signed(value, digits = 3) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const text = Math.abs(value) >= 0.001 ? Math.abs(value).toPrecision(digits) : Math.abs(value).toExponential(digits - 1);
  return (value < 0 ? "−" : "+") + text.replace("e-", "e−");
}

export function percent(value, digits = 1) {
  return value === null || value === undefined || !Number.isFinite(value) ? "–" : `${fixed(100 * value, digits)} %`;
}

export function probability(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  return value < 0.0001 ? "< .0001" : value.toFixed(value < 0.01 ? 4 : 3).replace(/^0/, "");
}

export function interval(low, high, digits = 2) {
  return low === null || low === undefined ? "–" : `${fixed(low, digits)} to ${fixed(high, digits)}`;
}
