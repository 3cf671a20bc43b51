/* SPDX-License-Identifier: Apache-2.0 */
/* The grammar of Murphi: CMurphi's manual, sections 3 to 7 and its appendices on scalarsets and
   multisets, with what Rumur adds (properties, bitwise operators, optional semicolons).
   It builds the tree of ast.h and recovers at semicolons, end keywords and top-level keywords. */
%require "3.6"
%define api.pure full
%define api.prefix {murphi_yy}
%define api.token.prefix {MURPHI_}
%define api.location.type {struct span}
%define parse.error custom
%define parse.lac full
%locations
%lex-param {void *scanner}
%parse-param {void *scanner} {struct murphi_parse *p}

%code requires {
#include "front/murphi/parse.h"
}

%code {
// The nesting the parser takes before it says "nested too deeply".
#define YYMAXDEPTH 20000
#define YYLLOC_DEFAULT(at, rhs, n)                                                                 \
  do {                                                                                             \
    if (n) {                                                                                       \
      (at) = YYRHSLOC(rhs, 1);                                                                     \
      (at).end_line = YYRHSLOC(rhs, n).end_line;                                                   \
      (at).end_column = YYRHSLOC(rhs, n).end_column;                                               \
    } else {                                                                                       \
      (at) = YYRHSLOC(rhs, 0);                                                                     \
      (at).line = (at).end_line;                                                                   \
      (at).column = (at).end_column;                                                               \
    }                                                                                              \
  } while (0)

#include "base/expected.h"
#include "front/murphi/lexer.h"

static void murphi_yyerror(struct span *at, void *scanner, struct murphi_parse *p, const char *text);
static struct ast_expr *quantified(struct murphi_parse *p, enum ast_expr_kind kind,
                                   struct ast_quant *quants, struct ast_expr *body, struct span at);
static struct ast_type *refused_real(struct murphi_parse *p, struct span at);
static struct ast_node *node(struct murphi_parse *p);
}

%union {
  struct ident *ident;
  int64_t number;
  const char *text;
  struct ast_name *name;
  struct ast_type *type;
  struct ast_decl *decl;
  struct ast_quant *quant;
  struct ast_expr *expr;
  struct ast_stmt *stmt;
  struct ast_clause *clause;
  struct ast_case *cases;
  struct ast_rule *rule;
  struct ast_function *function;
  struct ast_node *node;
  enum ast_property_kind property;
  bool flag;
}

%token EOF 0 "the end of the file"
%token GIVEN "an expression by itself" /* the scanner's first token when that is the text */
%token <ident> ID "a name"
%token <number> NUMBER "a number"
%token <text> STRING "a string"
%token ALIAS "'alias'" ARRAY "'array'" ASSERT "'assert'" ASSUME "'assume'" BEGIN "'begin'"
%token BOOLEAN "'boolean'" BY "'by'" CASE "'case'" CHOOSE "'choose'" CLEAR "'clear'"
%token CONST "'const'" COVER "'cover'" DO "'do'" ELSE "'else'" ELSIF "'elsif'" END "'end'"
%token ENDALIAS "'endalias'" ENDCHOOSE "'endchoose'" ENDEXISTS "'endexists'" ENDFOR "'endfor'"
%token ENDFORALL "'endforall'" ENDFUNCTION "'endfunction'" ENDIF "'endif'"
%token ENDPROCEDURE "'endprocedure'" ENDRECORD "'endrecord'" ENDRULE "'endrule'"
%token ENDRULESET "'endruleset'" ENDSTARTSTATE "'endstartstate'" ENDSWITCH "'endswitch'"
%token ENDWHILE "'endwhile'" ENUM "'enum'" ERROR_STMT "'error'" EXISTS "'exists'"
%token EXTERNFUN "'externfun'" EXTERNPROC "'externproc'" FOR "'for'" FORALL "'forall'"
%token FUNCTION "'function'" IF "'if'" INVARIANT "'invariant'" ISMEMBER "'ismember'"
%token ISUNDEFINED "'isundefined'" LIVENESS "'liveness'" MULTISET "'multiset'"
%token MULTISETADD "'multisetadd'" MULTISETCOUNT "'multisetcount'"
%token MULTISETREMOVE "'multisetremove'" MULTISETREMOVEPRED "'multisetremovepred'" OF "'of'"
%token PROCEDURE "'procedure'" PUT "'put'" REAL "'real'" RECORD "'record'" RETURN "'return'"
%token RULE "'rule'" RULESET "'ruleset'" SCALARSET "'scalarset'" STARTSTATE "'startstate'"
%token SWITCH "'switch'" THEN "'then'" TO "'to'" TYPE "'type'" UNDEFINE "'undefine'"
%token UNION "'union'" VAR "'var'" WHILE "'while'"
%token ASSIGN "':='" DOTDOT "'..'" ARROW "'==>'" IMPLIES "'->'" LE "'<='" GE "'>='" NE "'!='"
%token EQ "'='" SHL "'<<'" SHR "'>>'" ANDAND "'&&'" OROR "'||'" NOT "'!'"

%right '?' ':'
%nonassoc IMPLIES
%left OROR
%left ANDAND
%left '|'
%left '^'
%left '&'
%precedence NOT
%nonassoc '<' LE EQ NE GE '>'
%left SHL SHR
%left '+' '-'
%left '*' '/' '%'
%precedence '~'

%type <node> nodes node
%type <decl> decls decl constdecls typedecls vardecls constdecl typedecl vardecl header
%type <decl> params params_opt param aliases alias
%type <name> id names
%type <type> type result union_parts union_part
%type <quant> quant quants
%type <expr> expr designator call exprs exprs_opt
%type <stmt> stmts stmt_list stmt
%type <clause> elsifs else_opt
%type <cases> cases
%type <rule> rule rules rule_rest
%type <function> function
%type <property> category
%type <text> string_opt
%type <flag> var_opt

%start model

/* A name after a function's declarations starts another one, not a statement: hence 'begin'. And a
   syntax error among declarations is one in the innermost. */
%expect 6

%%

model: nodes { p->nodes = AST_CLOSE($1); }
  | GIVEN expr { p->expr = $2; }

nodes: %empty { $$ = NULL; }
  | nodes node { $$ = AST_APPEND($1, $2); }

node: decl { $$ = node(p); $$->decls = AST_CLOSE($1); }
  | function semi_opt { $$ = node(p); $$->function = $1; }
  | rule semi_opt { $$ = node(p); $$->rule = $1; }
  | error { $$ = node(p); }

semi_opt: %empty | semi_opt ';'
semis: ';' | semis ';'
comma_opt: %empty | ','

  /* ---- declarations ---- */

decls: decl | decls decl {
      if ($1 && $2) { // join two rings
        struct ast_decl *first = $1->next;
        $1->next = $2->next;
        $2->next = first;
      }
      $$ = $2 ? $2 : $1;
    }

decl: CONST constdecls { $$ = $2; }
  | TYPE typedecls { $$ = $2; }
  | VAR vardecls { $$ = $2; }

constdecls: %empty { $$ = NULL; }
  | constdecls constdecl semi_opt { $$ = $2 ? AST_APPEND($1, $2) : $1; }
typedecls: %empty { $$ = NULL; }
  | typedecls typedecl semi_opt { $$ = $2 ? AST_APPEND($1, $2) : $1; }
vardecls: %empty { $$ = NULL; }
  | vardecls vardecl semi_opt { $$ = $2 ? AST_APPEND($1, $2) : $1; }

constdecl: names ':' expr {
      $$ = murphi_ast_decl(p->tree, AST_CONST, AST_CLOSE($1), @$);
      $$->value = $3;
    }
  | error { $$ = NULL; }
typedecl: names ':' type {
      $$ = murphi_ast_decl(p->tree, AST_TYPE, AST_CLOSE($1), @$);
      $$->type = $3;
    }
  | error { $$ = NULL; }
vardecl: names ':' type {
      $$ = murphi_ast_decl(p->tree, AST_VAR, AST_CLOSE($1), @$);
      $$->type = $3;
    }
  | error { $$ = NULL; }

id: ID { $$ = murphi_ast_name(p->tree, $1, @1); }

names: id { $$ = AST_APPEND((struct ast_name *)NULL, $1); }
  | names ',' id { $$ = AST_APPEND($1, $3); }
  | names ',' %prec '?' { $$ = $1; }

  /* ---- types ---- */

type: BOOLEAN { $$ = murphi_ast_type(p->tree, AST_TYPE_BOOLEAN, @$); }
  | id { $$ = murphi_ast_type(p->tree, AST_TYPE_NAME, @$); $$->names = $1; }
  | expr DOTDOT expr {
      $$ = murphi_ast_type(p->tree, AST_TYPE_RANGE, @$);
      $$->lo = $1;
      $$->hi = $3;
    }
  | ENUM '{' names '}' { $$ = murphi_ast_type(p->tree, AST_TYPE_ENUM, @$); $$->names = AST_CLOSE($3); }
  | SCALARSET '(' expr ')' { $$ = murphi_ast_type(p->tree, AST_TYPE_SCALARSET, @$); $$->lo = $3; }
  | UNION '{' union_parts comma_opt '}' {
      $$ = murphi_ast_type(p->tree, AST_TYPE_UNION, @$);
      $$->parts = AST_CLOSE($3);
    }
  | ARRAY '[' type ']' OF type {
      $$ = murphi_ast_type(p->tree, AST_TYPE_ARRAY, @$);
      $$->index = $3;
      $$->elem = $6;
    }
  | MULTISET '[' expr ']' OF type {
      $$ = murphi_ast_type(p->tree, AST_TYPE_MULTISET, @$);
      $$->lo = $3;
      $$->elem = $6;
    }
  | RECORD vardecls endrecord {
      $$ = murphi_ast_type(p->tree, AST_TYPE_RECORD, @$);
      $$->fields = AST_CLOSE($2);
    }
  | REAL { $$ = refused_real(p, @$); }
  | REAL '(' expr ',' expr ')' { $$ = refused_real(p, @$); }

union_parts: union_part { $$ = AST_APPEND((struct ast_type *)NULL, $1); }
  | union_parts ',' union_part { $$ = AST_APPEND($1, $3); }
union_part: id { $$ = murphi_ast_type(p->tree, AST_TYPE_NAME, @$); $$->names = $1; }
  | ENUM '{' names '}' { $$ = murphi_ast_type(p->tree, AST_TYPE_ENUM, @$); $$->names = AST_CLOSE($3); }
  | SCALARSET '(' expr ')' { $$ = murphi_ast_type(p->tree, AST_TYPE_SCALARSET, @$); $$->lo = $3; }

  /* ---- functions ---- */

function: function_word id '(' params_opt ')' result function_body
    {
      $$ = $<function>7;
      $$->name = $2;
      $$->span = @2;
      $$->params = AST_CLOSE($4);
      $$->result = $6;
    }
  | EXTERNFUN id '(' params_opt ')' ':' type string_opt {
      diag_error(p->diag, @1, "external functions are not supported: write '%s' as a Murphi function",
                 $2->ident->text);
      $$ = NULL;
    }
  | EXTERNPROC id '(' params_opt ')' string_opt {
      diag_error(p->diag, @1, "external procedures are not supported: write '%s' as a Murphi procedure",
                 $2->ident->text);
      $$ = NULL;
    }

function_word: FUNCTION | PROCEDURE

function_body: decls begin_opt stmts endfunction {
      $<function>$ = ARENA_NEW(p->tree, struct ast_function);
      $<function>$->decls = AST_CLOSE($1);
      $<function>$->body = $3;
    }
  | begin_opt stmts endfunction {
      $<function>$ = ARENA_NEW(p->tree, struct ast_function);
      $<function>$->body = $2;
    }

begin_opt: %empty | BEGIN

result: semi_opt { $$ = NULL; }
  | ':' type semi_opt { $$ = $2; }

params_opt: %empty { $$ = NULL; } | params semi_opt
params: param { $$ = AST_APPEND((struct ast_decl *)NULL, $1); }
  | params semi_opt param { $$ = AST_APPEND($1, $3); }
  | params ',' param { $$ = AST_APPEND($1, $3); }
param: var_opt names ':' type {
      $$ = murphi_ast_decl(p->tree, AST_VAR, AST_CLOSE($2), @$);
      $$->type = $4;
      $$->is_var = $1;
    }
var_opt: %empty { $$ = false; } | VAR { $$ = true; }

  /* ---- expressions ---- */

designator: id { $$ = murphi_ast_expr(p->tree, AST_ID, @$); $$->name = $1; }
  | designator '[' expr ']' {
      $$ = murphi_ast_expr(p->tree, AST_INDEX, @$);
      $$->left = $1;
      $$->right = $3;
    }
  | designator '.' id {
      $$ = murphi_ast_expr(p->tree, AST_FIELD, @$);
      $$->left = $1;
      $$->name = $3;
    }

call: id '(' exprs_opt ')' {
      $$ = murphi_ast_expr(p->tree, AST_CALL, @$);
      $$->name = $1;
      $$->args = $3;
    }

exprs_opt: %empty { $$ = NULL; } | exprs comma_opt { $$ = AST_CLOSE($1); }
exprs: expr { $$ = AST_APPEND((struct ast_expr *)NULL, $1); }
  | exprs ',' expr { $$ = AST_APPEND($1, $3); }

expr: designator | call
  | NUMBER { $$ = murphi_ast_expr(p->tree, AST_NUMBER, @$); $$->value = $1; }
  | '(' expr ')' { $$ = $2; $$->span = @$; }
  | expr '?' expr ':' expr {
      $$ = murphi_ast_expr(p->tree, AST_TERNARY, @$);
      $$->left = $1;
      $$->right = $3;
      $$->third = $5;
    }
  | expr IMPLIES expr { $$ = murphi_ast_binary(p->tree, AST_IMPLIES, $1, $3, @$); }
  | expr OROR expr { $$ = murphi_ast_binary(p->tree, AST_OR, $1, $3, @$); }
  | expr ANDAND expr { $$ = murphi_ast_binary(p->tree, AST_AND, $1, $3, @$); }
  | expr '|' expr { $$ = murphi_ast_binary(p->tree, AST_PIPE, $1, $3, @$); }
  | expr '^' expr { $$ = murphi_ast_binary(p->tree, AST_XOR, $1, $3, @$); }
  | expr '&' expr { $$ = murphi_ast_binary(p->tree, AST_AMP, $1, $3, @$); }
  | NOT expr { $$ = murphi_ast_unary(p->tree, AST_NOT, $2, @$); }
  | '~' expr { $$ = murphi_ast_unary(p->tree, AST_BITNOT, $2, @$); }
  | '+' expr %prec '*' { $$ = murphi_ast_unary(p->tree, AST_PLUS, $2, @$); }
  | '-' expr %prec '*' { $$ = murphi_ast_unary(p->tree, AST_NEG, $2, @$); }
  | expr '<' expr { $$ = murphi_ast_binary(p->tree, AST_LT, $1, $3, @$); }
  | expr LE expr { $$ = murphi_ast_binary(p->tree, AST_LE, $1, $3, @$); }
  | expr '>' expr { $$ = murphi_ast_binary(p->tree, AST_GT, $1, $3, @$); }
  | expr GE expr { $$ = murphi_ast_binary(p->tree, AST_GE, $1, $3, @$); }
  | expr EQ expr { $$ = murphi_ast_binary(p->tree, AST_EQ, $1, $3, @$); }
  | expr NE expr { $$ = murphi_ast_binary(p->tree, AST_NE, $1, $3, @$); }
  | expr SHL expr { $$ = murphi_ast_binary(p->tree, AST_SHL, $1, $3, @$); }
  | expr SHR expr { $$ = murphi_ast_binary(p->tree, AST_SHR, $1, $3, @$); }
  | expr '+' expr { $$ = murphi_ast_binary(p->tree, AST_ADD, $1, $3, @$); }
  | expr '-' expr { $$ = murphi_ast_binary(p->tree, AST_SUB, $1, $3, @$); }
  | expr '*' expr { $$ = murphi_ast_binary(p->tree, AST_MUL, $1, $3, @$); }
  | expr '/' expr { $$ = murphi_ast_binary(p->tree, AST_DIV, $1, $3, @$); }
  | expr '%' expr { $$ = murphi_ast_binary(p->tree, AST_MOD, $1, $3, @$); }
  | FORALL quants do expr endforall { $$ = quantified(p, AST_FORALL, AST_CLOSE($2), $4, @$); }
  | EXISTS quants do expr endexists { $$ = quantified(p, AST_EXISTS, AST_CLOSE($2), $4, @$); }
  | ISUNDEFINED '(' expr ')' { $$ = murphi_ast_expr(p->tree, AST_ISUNDEFINED, @$); $$->left = $3; }
  | ISMEMBER '(' expr ',' type ')' {
      $$ = murphi_ast_expr(p->tree, AST_ISMEMBER, @$);
      $$->left = $3;
      $$->type = $5;
    }
  | MULTISETCOUNT '(' id ':' designator ',' expr ')' {
      $$ = murphi_ast_expr(p->tree, AST_MULTISETCOUNT, @$);
      $$->name = $3;
      $$->left = $5;
      $$->right = $7;
    }

quants: quant { $$ = AST_APPEND((struct ast_quant *)NULL, $1); }
  | quants semis quant { $$ = AST_APPEND($1, $3); }
quant: id ':' type {
      $$ = ARENA_NEW(p->tree, struct ast_quant);
      *$$ = (struct ast_quant){.name = $1, .type = $3, .span = @$};
    }
  | id ASSIGN expr TO expr {
      $$ = ARENA_NEW(p->tree, struct ast_quant);
      *$$ = (struct ast_quant){.name = $1, .from = $3, .to = $5, .span = @$};
    }
  | id ASSIGN expr TO expr BY expr {
      $$ = ARENA_NEW(p->tree, struct ast_quant);
      *$$ = (struct ast_quant){.name = $1, .from = $3, .to = $5, .step = $7, .span = @$};
    }

do: DO | ':'

  /* ---- statements ---- */

stmts: %empty { $$ = NULL; } | stmt_list { $$ = AST_CLOSE($1); } | stmt_list semis { $$ = AST_CLOSE($1); }
stmt_list: stmt { $$ = AST_APPEND((struct ast_stmt *)NULL, $1); }
  | stmt_list semis stmt { $$ = AST_APPEND($1, $3); }

stmt: designator ASSIGN expr {
      $$ = murphi_ast_stmt(p->tree, AST_ASSIGN, @$);
      $$->target = $1;
      $$->expr = $3;
    }
  | call { $$ = murphi_ast_stmt(p->tree, AST_CALL_STMT, @$); $$->expr = $1; }
  | IF expr THEN stmts elsifs else_opt endif {
      $$ = murphi_ast_stmt(p->tree, AST_IF, @$);
      struct ast_clause *c = ARENA_NEW(p->tree, struct ast_clause), *rest = AST_CLOSE($5);
      *c = (struct ast_clause){.cond = $2, .body = $4, .span = @2, .next = rest ? rest : $6};
      if (rest) $5->next = $6;
      $$->clauses = c;
    }
  | SWITCH expr cases endswitch {
      $$ = murphi_ast_stmt(p->tree, AST_SWITCH, @$);
      $$->expr = $2;
      $$->cases = AST_CLOSE($3);
    }
  | SWITCH expr cases ELSE stmts endswitch {
      $$ = murphi_ast_stmt(p->tree, AST_SWITCH, @$);
      $$->expr = $2;
      struct ast_case *c = ARENA_NEW(p->tree, struct ast_case);
      *c = (struct ast_case){.body = $5, .span = @4};
      $$->cases = AST_CLOSE(AST_APPEND($3, c));
    }
  | FOR quants do stmts endfor {
      $$ = murphi_ast_stmt(p->tree, AST_FOR, @$);
      $$->quants = AST_CLOSE($2);
      $$->body = $4;
    }
  | WHILE expr do stmts endwhile {
      $$ = murphi_ast_stmt(p->tree, AST_WHILE, @$);
      $$->expr = $2;
      $$->body = $4;
    }
  | ALIAS aliases do stmts endalias {
      $$ = murphi_ast_stmt(p->tree, AST_ALIAS, @$);
      $$->decls = AST_CLOSE($2);
      $$->body = $4;
    }
  | CLEAR designator { $$ = murphi_ast_stmt(p->tree, AST_CLEAR, @$); $$->target = $2; }
  | UNDEFINE designator { $$ = murphi_ast_stmt(p->tree, AST_UNDEFINE, @$); $$->target = $2; }
  | ERROR_STMT STRING { $$ = murphi_ast_stmt(p->tree, AST_ERROR, @$); $$->text = $2; }
  | category STRING expr {
      $$ = murphi_ast_stmt(p->tree, AST_PROPERTY, @$);
      $$->property = $1;
      $$->text = $2;
      $$->expr = $3;
    }
  | category expr string_opt {
      $$ = murphi_ast_stmt(p->tree, AST_PROPERTY, @$);
      $$->property = $1;
      $$->expr = $2;
      $$->text = $3;
    }
  | PUT STRING { $$ = murphi_ast_stmt(p->tree, AST_PUT, @$); $$->text = $2; }
  | PUT expr { $$ = murphi_ast_stmt(p->tree, AST_PUT, @$); $$->expr = $2; }
  | RETURN { $$ = murphi_ast_stmt(p->tree, AST_RETURN, @$); }
  | RETURN expr { $$ = murphi_ast_stmt(p->tree, AST_RETURN, @$); $$->expr = $2; }
  | MULTISETADD '(' expr ',' designator ')' {
      $$ = murphi_ast_stmt(p->tree, AST_MULTISETADD, @$);
      $$->expr = $3;
      $$->target = $5;
    }
  | MULTISETREMOVE '(' expr ',' designator ')' {
      $$ = murphi_ast_stmt(p->tree, AST_MULTISETREMOVE, @$);
      $$->expr = $3;
      $$->target = $5;
    }
  | MULTISETREMOVEPRED '(' id ':' designator ',' expr ')' {
      $$ = murphi_ast_stmt(p->tree, AST_MULTISETREMOVEPRED, @$);
      $$->name = $3;
      $$->target = $5;
      $$->expr = $7;
    }
  | error { $$ = murphi_ast_stmt(p->tree, AST_ALIAS, @$); }

elsifs: %empty { $$ = NULL; }
  | elsifs ELSIF expr THEN stmts {
      struct ast_clause *c = ARENA_NEW(p->tree, struct ast_clause);
      *c = (struct ast_clause){.cond = $3, .body = $5, .span = @3};
      $$ = AST_APPEND($1, c);
    }
else_opt: %empty { $$ = NULL; }
  | ELSE stmts {
      $$ = ARENA_NEW(p->tree, struct ast_clause);
      *$$ = (struct ast_clause){.body = $2, .span = @1};
    }

cases: %empty { $$ = NULL; }
  | cases CASE exprs comma_opt ':' stmts {
      struct ast_case *c = ARENA_NEW(p->tree, struct ast_case);
      *c = (struct ast_case){.values = AST_CLOSE($3), .body = $6, .span = @2};
      $$ = AST_APPEND($1, c);
    }

aliases: alias semi_opt { $$ = AST_APPEND((struct ast_decl *)NULL, $1); }
  | aliases alias semi_opt { $$ = AST_APPEND($1, $2); }
alias: id ':' expr {
      $$ = murphi_ast_decl(p->tree, AST_CONST, $1, @$);
      $$->value = $3;
    }

category: ASSERT { $$ = AST_ASSERT; } | INVARIANT { $$ = AST_ASSERT; } | ASSUME { $$ = AST_ASSUME; }
  | COVER { $$ = AST_COVER; } | LIVENESS { $$ = AST_LIVENESS; }

string_opt: %empty { $$ = NULL; } | STRING

  /* ---- rules ---- */

rules: %empty { $$ = NULL; } | rules rule semi_opt { $$ = AST_APPEND($1, $2); }

header: decls BEGIN { $$ = $1; } | BEGIN { $$ = NULL; }

rule: RULE rule_rest { $$ = $2; $$->span = @1; }
  | RULE STRING rule_rest { $$ = $3; $$->span = @1; $$->name = $2; }
  | RULE NUMBER STRING rule_rest {
      $$ = $4;
      $$->span = @1;
      $$->name = $3;
      $$->priority = $2;
    }
  | STARTSTATE string_opt header stmts endstartstate {
      $$ = murphi_ast_rule(p->tree, AST_START, @1);
      $$->name = $2;
      $$->decls = AST_CLOSE($3);
      $$->body = $4;
    }
  | STARTSTATE string_opt stmts endstartstate {
      $$ = murphi_ast_rule(p->tree, AST_START, @1);
      $$->name = $2;
      $$->body = $3;
    }
  | category STRING expr {
      $$ = murphi_ast_rule(p->tree, AST_RULE_PROPERTY, @$);
      $$->property = $1;
      $$->name = $2;
      $$->expr = $3;
    }
  | category expr string_opt {
      $$ = murphi_ast_rule(p->tree, AST_RULE_PROPERTY, @$);
      $$->property = $1;
      $$->expr = $2;
      $$->name = $3;
    }
  | RULESET quants do rules endruleset {
      $$ = murphi_ast_rule(p->tree, AST_RULESET, @1);
      $$->quants = AST_CLOSE($2);
      $$->rules = AST_CLOSE($4);
    }
  | ALIAS aliases do rules endalias {
      $$ = murphi_ast_rule(p->tree, AST_RULE_ALIAS, @1);
      $$->decls = AST_CLOSE($2);
      $$->rules = AST_CLOSE($4);
    }
  | CHOOSE id ':' designator do rules endchoose {
      $$ = murphi_ast_rule(p->tree, AST_CHOOSE, @1);
      $$->choose = $2;
      $$->expr = $4;
      $$->rules = AST_CLOSE($6);
    }

rule_rest: expr ARROW header stmts endrule {
      $$ = murphi_ast_rule(p->tree, AST_RULE, @$);
      $$->expr = $1;
      $$->decls = AST_CLOSE($3);
      $$->body = $4;
    }
  | expr ARROW stmts endrule {
      $$ = murphi_ast_rule(p->tree, AST_RULE, @$);
      $$->expr = $1;
      $$->body = $3;
    }
  | header stmts endrule {
      $$ = murphi_ast_rule(p->tree, AST_RULE, @$);
      $$->decls = AST_CLOSE($1);
      $$->body = $2;
    }
  | stmts endrule {
      $$ = murphi_ast_rule(p->tree, AST_RULE, @$);
      $$->body = $1;
    }

endalias: END | ENDALIAS
endchoose: END | ENDCHOOSE
endexists: END | ENDEXISTS
endfor: END | ENDFOR
endforall: END | ENDFORALL
endfunction: END | ENDFUNCTION | ENDPROCEDURE
endif: END | ENDIF
endrecord: END | ENDRECORD
endrule: END | ENDRULE
endruleset: END | ENDRULESET
endstartstate: END | ENDSTARTSTATE
endswitch: END | ENDSWITCH
endwhile: END | ENDWHILE

%%

// --- messages ---

#define S(x) YYSYMBOL_##x
static const struct expected_group groups[] = {
    {"a statement",
     {S(IF), S(WHILE)},
     "",
     {S(IF), S(WHILE), S(SWITCH), S(FOR), S(ALIAS), S(CLEAR), S(UNDEFINE), S(ERROR_STMT), S(PUT),
      S(RETURN), S(MULTISETADD), S(MULTISETREMOVE), S(MULTISETREMOVEPRED), S(ASSERT), S(ASSUME),
      S(COVER), S(INVARIANT), S(LIVENESS), S(ID)}},
    {"a rule or declaration",
     {S(RULE), S(CONST)},
     "",
     {S(RULE), S(CONST), S(TYPE), S(VAR), S(STARTSTATE), S(RULESET), S(ALIAS), S(CHOOSE),
      S(ASSERT), S(ASSUME), S(COVER), S(INVARIANT), S(LIVENESS), S(FUNCTION), S(PROCEDURE),
      S(EXTERNFUN), S(EXTERNPROC)}},
    {"a rule",
     {S(RULE), S(STARTSTATE)},
     "",
     {S(RULE), S(STARTSTATE), S(RULESET), S(ALIAS), S(CHOOSE), S(ASSERT), S(ASSUME), S(COVER),
      S(INVARIANT), S(LIVENESS)}},
    {"a type",
     {S(ARRAY), S(RECORD)},
     "+-~(",
     {S(ARRAY), S(RECORD), S(ENUM), S(SCALARSET), S(UNION), S(MULTISET), S(BOOLEAN), S(REAL),
      S(ID), S(NUMBER), S(ISUNDEFINED), S(ISMEMBER), S(MULTISETCOUNT), S(FORALL), S(EXISTS),
      S(NOT)}},
    {"an expression",
     {S(NUMBER), S(ISUNDEFINED)},
     "+-~(",
     {S(NUMBER), S(ID), S(ISUNDEFINED), S(ISMEMBER), S(MULTISETCOUNT), S(FORALL), S(EXISTS),
      S(NOT)}},
    {NULL,
     {S(ANDAND), S(OROR)},
     "+-*/%<>&|^?",
     {S(EQ), S(ANDAND), S(OROR), S(IMPLIES), S(LE), S(GE), S(NE), S(SHL), S(SHR)}},
};
#undef S

static const char *spelling(const void *context, int kind) {
  const struct murphi_parse *p = context;
  return p->given && kind == YYSYMBOL_YYEOF ? "the end of the expression" : yysymbol_name(kind);
}

static int yyreport_syntax_error(const yypcontext_t *ctx, void *scanner, struct murphi_parse *p) {
  (void)scanner;
  enum { MAX = YYNTOKENS };
  struct expected e = {groups, sizeof groups / sizeof *groups, spelling, p};
  yysymbol_kind_t kinds[MAX];
  int set[MAX], n = yypcontext_expected_tokens(ctx, kinds, MAX);
  if (n < 0) return n;
  for (int i = 0; i < n; i++) set[i] = kinds[i] == YYSYMBOL_GIVEN ? EXPECTED_NONE : (int)kinds[i];
  struct text message = {0};
  text_add(&message, "expected ");
  expected_say(&e, &message, set, n);
  text_add(&message, ", but found ");
  if (yypcontext_token(ctx) != YYSYMBOL_YYEMPTY) text_add(&message, spelling(p, yypcontext_token(ctx)));
  diag_error(p->diag, *yypcontext_location(ctx), "%s", text_str(&message));
  text_clear(&message);
  return 0;
}

// Called by bison only when its stack is full.
static void murphi_yyerror(struct span *at, void *scanner, struct murphi_parse *p, const char *text) {
  (void)scanner;
  (void)text;
  diag_error(p->diag, *at, "nested too deeply: more than %d open constructs", YYMAXDEPTH);
}

// --- small builders ---

// Q x; y do e end is Q x do Q y do e end end.
static struct ast_expr *quantified(struct murphi_parse *p, enum ast_expr_kind kind,
                                   struct ast_quant *quants, struct ast_expr *body, struct span at) {
  struct ast_expr *e = murphi_ast_expr(p->tree, kind, at);
  e->quants = quants;
  e->left = body;
  return e;
}

static struct ast_type *refused_real(struct murphi_parse *p, struct span at) {
  diag_error(p->diag, at, "the type real is not supported: use an integer range");
  return murphi_ast_type(p->tree, AST_TYPE_REAL, at);
}

static struct ast_node *node(struct murphi_parse *p) { return ARENA_NEW(p->tree, struct ast_node); }

void murphi_parse(struct murphi_parse *p) {
  yyscan_t scanner;
  p->line = p->column = 1;
  murphi_yylex_init_extra(p, &scanner);
  murphi_yy_scan_bytes(p->source->text, (int)p->source->bytes, scanner);
  size_t errors = p->diag->errors;
  struct span start = {.source = p->source, .line = 1, .column = 1, .end_line = 1, .end_column = 1};
  if (murphi_yyparse(scanner, p) != 0 && p->diag->errors == errors)
    diag_error(p->diag, start, "the text could not be read");
  murphi_yylex_destroy(scanner);
  text_clear(&p->string);
}
