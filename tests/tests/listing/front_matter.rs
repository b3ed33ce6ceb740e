//! Hooks in the front matter of Claude Code's skills, commands and agents.

use hookkit_tests::Turn;
use hookkit_tests::client::Places;
use hookkit_tests::client_or_skip;
use serde_json::{Value, json};

use crate::machine::{Listing, Machine};

const CLAUDE: &str = "claude-code";

/// Front matter of this name, with one hook of this event.
fn matter(machine: &Machine, name: &str, event: &str) -> String {
    let command = json!(machine.mark(name));
    format!(
        "---\nname: {name}\ndescription: \"for: tests\"\nhooks:\n  {event}:\n    - matcher: Bash\n      \
         hooks:\n        - type: command\n          command: {command}\n---\n\nDo it.\n"
    )
}

/// Whether somebody said that the project is trusted.
fn trust(machine: &Machine, is_trusted: bool) {
    let project = machine.places().project().display().to_string();
    let says = json!({"projects": {project: {"hasTrustDialogAccepted": is_trusted}}});
    machine.json("config/.claude.json", says);
}

fn hook(listing: &Listing, file: &std::path::Path) -> Value {
    listing.source(file)["hooks"][0].clone()
}

#[test]
fn hooks_of_skills_and_agents_fire_only_while_those_are_active() {
    let places = Places::new();
    let machine = Machine::of(CLAUDE, &places);
    for (file, name) in [
        ("config/skills/a/SKILL.md", "a"),
        ("config/agents/deep/b.md", "b"),
        ("project/.claude/skills/c/SKILL.md", "c"),
        ("project/.claude/agents/d.md", "d"),
        ("project/.claude/commands/e.md", "e"),
    ] {
        machine.put(file, matter(&machine, name, "PreToolUse"));
    }
    trust(&machine, true);
    // None of these has hooks.
    machine.put("config/agents/none.md", "---\nname: [\n---\nhooks:\n");
    machine.put(
        "config/skills/read.md",
        matter(&machine, "no-skill", "Stop"),
    );
    machine.put(
        "config/skills/a/more.md",
        matter(&machine, "no-skill", "Stop"),
    );
    let said = machine.list(["--event", "PreToolUse", "--tool", "Bash"]);
    assert_eq!(said.sources().len(), 5, "{}", said.0);
    assert_eq!(said.fires(), [""; 0], "not everywhere");
    for (file, what) in [
        ("config/skills/a/SKILL.md", "the skill `a`"),
        ("config/agents/deep/b.md", "the agent `b`"),
        ("project/.claude/skills/c/SKILL.md", "the skill `c`"),
        ("project/.claude/agents/d.md", "the agent `d`"),
        ("project/.claude/commands/e.md", "the skill `e`"),
    ] {
        let hook = hook(&said, &machine.at(file));
        assert_eq!(hook["fires"], "perhaps", "{hook}");
        assert_eq!(hook["why"], format!("only while {what} is active"));
        assert_eq!(
            (&hook["state"], &hook["line"]),
            (&json!("within"), &json!(8))
        );
    }
    let other = machine.list(["--event", "PreToolUse", "--tool", "Read"]);
    assert!(other.why("a").contains("does not match"), "{}", other.0);
    let problems = machine.told_to_people(["--host", CLAUDE, "--problems"]);
    assert!(problems.exited(0), "{}", problems.out());
}

#[test]
fn an_agents_stop_is_that_of_a_subagent() {
    let places = Places::new();
    let machine = Machine::of(CLAUDE, &places);
    let of = |name| matter(&machine, name, "Stop").replace("Bash", "\"\"");
    machine.put("config/agents/a.md", of("a"));
    machine.put("config/skills/s/SKILL.md", of("s"));
    let of = |event| machine.list(["--event", event]);
    assert_eq!(of("SubagentStop").sources().len(), 1);
    assert!(of("SubagentStop").why("a").contains("the agent `a`"));
    assert!(of("Stop").why("s").contains("the skill `s`"));
}

#[test]
fn front_matter_that_does_not_count_says_why() {
    let places = Places::new();
    let machine = Machine::of(CLAUDE, &places);
    let good = matter(&machine, "a", "PreToolUse");
    let bad = good.replace("type: command", "type: zzz");
    for (text, state, line, why) in [
        (bad.clone(), "dropped", "line 8", "`zzz`"),
        (good.replace("name: a\n", ""), "dropped", "line ", "`name`"),
        (
            good.replace("    - matcher", "    - [matcher"),
            "dropped",
            "line ",
            "does not parse",
        ),
        (
            good.replace("hooks:\n  Pre", "more:\n  Pre")
                .replace("more:\n  ", ""),
            "dropped",
            "line ",
            "",
        ),
    ] {
        machine.put("config/agents/a.md", &text);
        let source = machine.list([]).source(&machine.at("config/agents/a.md"));
        let said = source["why"].as_str().unwrap_or_default();
        assert_eq!(source["state"], state, "{text}\n{source}");
        assert!(said.contains(why) && said.contains(line), "{text}\n{said}");
    }
    // Under another event it goes alone.
    let stop = bad.replace("PreToolUse", "Stop");
    machine.put("config/agents/a.md", stop);
    let source = machine.list([]).source(&machine.at("config/agents/a.md"));
    assert_eq!(
        (&source["state"], &source["hooks"][0]["state"]),
        (&json!("read"), &json!("dropped"))
    );
    machine.put("config/agents/a.md", good);
    let source = machine.list([]).source(&machine.at("config/agents/a.md"));
    assert_eq!(
        (&source["state"], &source["hooks"][0]["state"]),
        (&json!("read"), &json!("within"))
    );
}

#[test]
fn an_agent_of_a_plugin_has_no_hooks_and_its_skill_has() {
    let places = Places::new();
    let machine = Machine::of(CLAUDE, &places);
    let manifest = json!({"name": "ant", "version": "1.0.0"}).to_string();
    let files = [
        (".claude-plugin/plugin.json", manifest),
        ("skills/s/SKILL.md", matter(&machine, "s", "PreToolUse")),
        ("agents/a.md", matter(&machine, "a", "PreToolUse")),
    ];
    machine.market("ark", "ant", &files);
    machine.json(
        "config/settings.json",
        machine.told(&[("ark", "ant", true)]),
    );
    let said = machine.list([]);
    let agent = said.source(&machine.at("ark/ant/agents/a.md"));
    assert_eq!(agent["state"], "dropped");
    assert!(agent["why"].as_str().unwrap().contains("line 4"), "{agent}");
    assert_eq!(
        hook(&said, &machine.at("ark/ant/skills/s/SKILL.md"))["state"],
        "within"
    );
    machine.json(
        "config/settings.json",
        machine.told(&[("ark", "ant", false)]),
    );
    let off = machine
        .list([])
        .source(&machine.at("ark/ant/skills/s/SKILL.md"));
    assert_eq!(off["state"], "off");
}

/// Doctor looks at what they start as at any hook's, and takes none for another's double.
#[test]
fn doctor_judges_what_they_start() {
    let places = Places::new();
    let machine = Machine::of(CLAUDE, &places);
    let gone = machine.at("gone/guard").display().to_string();
    let of = |command: &str| {
        let text = matter(&machine, "a", "PreToolUse");
        text.replace(
            &json!(machine.mark("a")).to_string(),
            &json!(command).to_string(),
        )
    };
    let doctor = || {
        let ran = machine
            .hookkit(["doctor", "--json", "--host", CLAUDE])
            .run();
        let said: Value = ran.json();
        said["findings"].as_array().unwrap().clone()
    };
    machine.put("config/skills/a/SKILL.md", of(&gone));
    let findings = doctor();
    assert!(
        findings
            .iter()
            .any(|one| one["line"] == 9 && one.to_string().contains("guard")),
        "{findings:?}"
    );
    machine.put("config/skills/a/SKILL.md", of("true"));
    machine.put("config/skills/b/SKILL.md", of("true"));
    let findings = doctor();
    let about = |one: &&Value| one.to_string().contains("SKILL.md");
    assert_eq!(
        findings.iter().filter(about).collect::<Vec<_>>(),
        [&Value::Null; 0]
    );
}

/// Of four calls of a shell in a session, two are made while they are active.
#[test]
fn the_client_runs_them_only_then() {
    let client = client_or_skip!(claude);
    let start = |tool: &str, input: Value| {
        let shell = || client.shell("true");
        // A subagent is told the same turns: it calls the shell, is refused an agent, calls the shell.
        [
            shell(),
            Turn::tool(tool, input),
            shell(),
            Turn::text("done"),
        ]
    };
    let agent = json!({
        "subagent_type": "a", "description": "d", "prompt": "p", "run_in_background": false,
    });
    let skill = json!({"skill": "s"});
    let of_user = "config/skills/s/SKILL.md";
    let of_project = "project/.claude/skills/s/SKILL.md";
    let agents = "project/.claude/agents/a.md";
    for (file, name, turns, is_trusted, runs) in [
        (of_user, "s", start("Skill", skill.clone()), false, 1),
        (of_project, "s", start("Skill", skill.clone()), true, 1),
        (of_project, "s", start("Skill", skill), false, 1),
        (agents, "a", start("Agent", agent.clone()), true, 2),
        (agents, "a", start("Agent", agent.clone()), false, 0),
        // This one is not loaded, so that nobody is there to be started.
        (agents, "bad", start("Agent", agent), true, 0),
    ] {
        let session = client.session().keep_settings();
        let machine = Machine::of(CLAUDE, session.places());
        let text = matter(&machine, name, "PreToolUse");
        let text = text.replace("name: a\n", "name: a\ntools: Bash\n");
        let text = text.replace("name: bad\n", "name: a\ntools: Bash\nPreToolUse: [{}]\n");
        machine.put(file, text);
        trust(&machine, is_trusted);
        let said = machine.list(["--event", "PreToolUse", "--tool", "Bash"]);
        let fires = if runs == 0 { "no" } else { "perhaps" };
        let listed = hook(&said, &machine.at(file));
        let seen = session.turns(turns).run();
        assert!(seen.ran.exited(0), "{seen}");
        let ran = Machine::of(CLAUDE, seen.places()).ran();
        assert_eq!(ran, vec![name; runs], "{file} {is_trusted} {seen}");
        assert_eq!(listed["fires"], fires, "{file} {is_trusted} {listed}");
    }
}
