package main

import (
	"go/ast"
	"go/token"
	"strconv"
)

// swapped maps operators to their replacements, which make boundaries, signs and
// conditions wrong.
var swapped = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL,
}

// change calls put for every small change of a file that may go unnoticed.
func change(file *ast.File, put func(start, end token.Pos, with string)) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			return n.Tok != token.IMPORT
		case *ast.BinaryExpr:
			if with, ok := swapped[n.Op]; ok {
				put(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), with.String())
			}
		case *ast.UnaryExpr:
			if n.Op == token.NOT {
				put(n.OpPos, n.OpPos+1, "")
			}
		case *ast.BasicLit:
			if i, err := strconv.ParseInt(n.Value, 0, 64); n.Kind == token.INT && err == nil {
				put(n.Pos(), n.End(), strconv.FormatInt(i+1, 10))
			}
		case *ast.Ident:
			switch n.Name {
			case "true":
				put(n.Pos(), n.End(), "false")
			case "false":
				put(n.Pos(), n.End(), "true")
			}
		case *ast.IfStmt:
			if n.Else == nil && len(n.Body.List) > 0 {
				put(n.Body.Lbrace+1, n.Body.Rbrace, "") // as if the condition were false
			}
		case *ast.ExprStmt:
			if _, ok := n.X.(*ast.CallExpr); ok {
				put(n.Pos(), n.End(), "")
			}
		}
		return true
	})
}
