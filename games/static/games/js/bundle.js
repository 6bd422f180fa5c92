/** Several files as one: a zip archive that stores each as it is, and takes no more memory than a list of them. */

const ENDINGS = /\.(agn|txt|json|ndjson|gz|zst|zip)$/i;
const TABLE = Uint32Array.from({ length: 256 }, (_, at) => {
  let sum = at;
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});

/** The files of a folder that may hold games. */
export function withGames(files) {
  return files.filter(({ path }) => ENDINGS.test(path) && !path.split("/").some((part) => part.startsWith(".")));
}

/** All files that were dropped, those in folders with their paths. */
export async function dropped(items) {
  const entries = [...items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  return (await Promise.all(entries.map((entry) => filesIn(entry, "")))).flat();
}

async function filesIn(entry, before) {
  const path = before + entry.name;
  if (entry.isFile) {
    return [{ path, file: await new Promise((done, fail) => entry.file(done, fail)) }];
  }
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (!some.length) break;
    found.push(...some);
  }
  return (await Promise.all(found.map((one) => filesIn(one, `${path}/`)))).flat();
}

/** The name of several files as one: that of their folder, or of the first. */
function nameOf(files) {
  const [top] = files[0].path.split("/");
  const oneFolder = files.every(({ path }) => path.startsWith(`${top}/`));
  return { name: oneFolder ? `${top}.zip` : `${files[0].path} + ${files.length - 1}`, inside: oneFolder ? top.length + 1 : 0 };
}

async function checksum(file) {
  let sum = 0xffffffff;
  const reader = file.stream().getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    for (const byte of read.value) sum = TABLE[(sum ^ byte) & 0xff] ^ (sum >>> 8);
  }
  return (sum ^ 0xffffffff) >>> 0;
}

/** Numbers of two or four bytes, one after the other. */
function packed(...numbers) {
  const bytes = new DataView(new ArrayBuffer(numbers.reduce((size, [width]) => size + width, 0)));
  let at = 0;
  for (const [width, value] of numbers) {
    width === 2 ? bytes.setUint16(at, value, true) : bytes.setUint32(at, value, true);
    at += width;
  }
  return bytes;
}

/** Files with their paths as one file. */
export async function bundle(files) {
  const sorted = [...files].sort((one, other) => (one.path < other.path ? -1 : 1));
  const { name, inside } = nameOf(sorted);
  const parts = [];
  const directory = [];
  let at = 0;
  for (const { path, file } of sorted) {
    const shown = new TextEncoder().encode(path.slice(inside));
    // Version, UTF-8 names, stored, 1 January 1980, then what is known of the file.
    const about = [[2, 20], [2, 0x800], [2, 0], [2, 0], [2, 0x21], [4, await checksum(file)], [4, file.size], [4, file.size]];
    const named = [...about, [2, shown.length], [2, 0]];
    const header = packed([4, 0x04034b50], ...named);
    directory.push(packed([4, 0x02014b50], [2, 20], ...named, [2, 0], [2, 0], [2, 0], [4, 0], [4, at]), shown);
    parts.push(header, shown, file);
    at += header.byteLength + shown.length + file.size;
  }
  const size = directory.reduce((sum, part) => sum + part.byteLength, 0);
  const count = [[2, sorted.length], [2, sorted.length]];
  const end = packed([4, 0x06054b50], [2, 0], [2, 0], ...count, [4, size], [4, at], [2, 0]);
  const lastModified = Math.max(...sorted.map(({ file }) => file.lastModified));
  return new File([...parts, ...directory, end], name, { lastModified, type: "application/zip" });
}
