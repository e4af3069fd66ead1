// Blocks of data: inside the page or in files beside it, inflated when asked for, the latest kept.

const KEPT = 240;
const kept = new Map();
const handed = new Map();
let where = { inline: true, folder: "", names: [] };

export function prepareBlocks(settings) {
  where = settings;
  window.biasoriginBlock = (name, packed) => handed.get(name)?.(packed);
}

export function bytesOf(name) {
  let bytes = kept.get(name);
  if (bytes) kept.delete(name);
  else bytes = (where.inline ? insidePage(name) : besidePage(name)).then(inflate);
  kept.set(name, bytes);
  if (kept.size > KEPT) kept.delete(kept.keys().next().value);
  bytes.catch(() => kept.delete(name));
  return bytes;
}

export async function jsonOf(name) {
  return JSON.parse(new TextDecoder().decode(await bytesOf(name)));
}

export async function numbersOf(name, kind) {
  const bytes = await bytesOf(name);
  const type = { float: Float32Array, int: Int32Array, byte: Uint8Array }[kind];
  return new type(bytes.buffer, bytes.byteOffset, bytes.byteLength / type.BYTES_PER_ELEMENT);
}

// The page is shown while its end, where the blocks are, is still being read.
async function insidePage(name) {
  for (;;) {
    const reading = document.readyState === "loading";
    const element = document.getElementById(`block-${name}`);
    if (element && (!reading || element.nextSibling)) return element.textContent;
    if (!reading) throw new Error(`The page lacks its block ${name}.`);
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, 50);
      document.addEventListener("readystatechange", () => { clearTimeout(timer); resolve(); }, { once: true });
    });
  }
}

function besidePage(name) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `${where.folder}/${name}.js`;
    const done = () => { handed.delete(name); script.remove(); };
    handed.set(name, (packed) => { done(); resolve(packed); });
    script.addEventListener("error", () => {
      done();
      reject(new Error(`The file ${where.folder}/${name}.js is not beside this page. Keep the folder with it.`));
    });
    document.head.append(script);
  });
}

async function inflate(packed) {
  const raw = Uint8Array.fromBase64 ? Uint8Array.fromBase64(packed) : fromBase64(packed);
  const stream = new Blob([raw]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function fromBase64(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let place = 0; place < binary.length; place += 1) bytes[place] = binary.charCodeAt(place);
  return bytes;
}
