// The reference guard: refuses to delete everything below the root, says nothing to the rest.
let text = "";
for await (const piece of process.stdin) text += piece;
const command = JSON.parse(text).tool_input?.command ?? "";
if (command.includes("rm -rf /")) {
  console.error("This would delete everything. Name the folder that is meant.");
  process.exitCode = 2;
}
